"""The pass over a session that sees which features it uses, how it refuses missing resources and answers discovery."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mcptest.compliance.corpora import Corpus, revision_of
from mcptest.compliance.diagnosis import SKIPPED, Ailment, CodeCheck
from mcptest.compliance.history import History
from mcptest.compliance.judging import Book
from mcptest.compliance.moves import Effect, Move, Watch, advice
from mcptest.compliance.reader import ERROR, RESULT, Reader
from mcptest.compliance.rule import Context
from mcptest.compliance.subjects import Exchange
from mcptest.findings import Severity, Status
from mcptest.protocol import STATELESS_REVISIONS, errors, methods
from mcptest.wire import Frame
from mcptest.wire.frame import CLIENT
from mcptest.wire.message import NOTIFICATION, REQUEST, RESPONSE

MISSING_RESOURCE = "RES-007"
_CODES = frozenset({errors.RESOURCE_NOT_FOUND, errors.INVALID_PARAMS})
_MOST_FRAMES = 5
_MESSAGES = (REQUEST, NOTIFICATION, RESPONSE)


def check_resource_error_code(code: int, corpus: Corpus) -> CodeCheck:
    """Is this the code with which the revision has a missing resource refused? Only the two codes that revisions have
    named for it are judged: any other may have another reason."""
    demand = corpus.demands[MISSING_RESOURCE]
    due = demand.expect["code"]
    if code == due:
        return CodeCheck(Status.PASSED, f"{code} is what {corpus.name} has for a missing resource")
    if code not in _CODES:
        return CodeCheck(SKIPPED, f"{code} is neither of the codes that revisions have named for a missing resource")
    word = {"must": "must", "should": "should"}.get(demand.level, "may")
    text = f"a missing resource was refused with {code}; in {corpus.name} it {word} be {due}"
    return CodeCheck(Status.FAILED, text, demand.severity)


class Look:
    """`ours`: the client was we ourselves."""

    def __init__(self, wanted: Sequence[Move], book: Book, target: Corpus, pin: str | None) -> None:
        self.watch = Watch(wanted)
        self._reader = Reader(self._happened, pin)
        self._rule = book.rules[MISSING_RESOURCE]
        demand = target.demands[MISSING_RESOURCE]
        self._context = Context(
            revision_of(target.name), demand.expect, demand.severity, demand.binds, self._reader.history, None
        )
        self._missing: dict[int, list[int]] = {}
        self._discovery: CodeCheck | None = None
        self._unrefused: str | None = None
        self.ours = False

    def read(self, frames: Iterable[Frame]) -> History:
        history = self._reader.read(frames)
        self.watch.finish(history)
        return history

    def _happened(self, event: str, sender: str, method: str | None, subject: Any) -> None:
        self.watch.happened(event, sender, method, subject)
        if event in _MESSAGES:
            counts = self._reader.history.revisions
            counts[subject.revision] = counts.get(subject.revision, 0) + 1
            self.ours = self.ours or (sender == CLIENT and subject.synthetic)
        if event in (ERROR, RESULT) and method == "resources/read":
            self._read(event == ERROR, subject)
        if event in (ERROR, RESULT) and method == methods.DISCOVER:
            self._discovery = _discovered(subject)

    def _read(self, refused: bool, exchange: Exchange) -> None:
        """Whether the resource was missing is for the rule to say, unless we asked ourselves for what nobody offers;
        for the code, see the check."""
        assert self._rule.applies is not None
        uri, answer, code = exchange.params.get("uri"), exchange.answer, exchange.code
        made_up = exchange.synthetic and type(uri) is str and uri not in exchange.known.resources
        if not refused:
            self._unrefused = uri if made_up else self._unrefused
        elif answer is not None and code is not None and (made_up or self._rule.applies(exchange, self._context)):
            self._missing.setdefault(code, []).append(answer.seq)

    def discovery(self, target: Corpus) -> CodeCheck | None:
        if revision_of(target.name) < STATELESS_REVISIONS[0]:
            return None
        return self._discovery or CodeCheck(SKIPPED, "nobody asked server/discover")

    def resources(self, target: Corpus) -> tuple[CodeCheck, list[Ailment]]:
        """The worst that the reads of missing resources came to, and what is to be done about each wrong code."""
        checks = {code: check_resource_error_code(code, target) for code in self._missing}
        ailing = []
        for code, check in checks.items():
            if check.severity is None:
                continue
            effect = Effect.BREAKS if check.severity >= Severity.ERROR else Effect.ADVISED
            due = target.demands[MISSING_RESOURCE].expect["code"]
            text = (advice(MISSING_RESOURCE) or "").format(code=due)
            seqs = self._missing[code]
            ailing.append(
                Ailment(
                    MISSING_RESOURCE,
                    effect,
                    check.severity,
                    check.text[:1].upper() + check.text[1:],
                    f"error {code}" + (f" ({len(seqs)})" if len(seqs) > 1 else ""),
                    tuple(seqs[:_MOST_FRAMES]),
                    {"server": text},
                    target.url(MISSING_RESOURCE),
                )
            )
        order = (Status.FAILED, Status.PASSED, SKIPPED)
        for check in sorted(checks.values(), key=lambda one: order.index(one.status)):
            return check, ailing
        if self._unrefused is not None:
            text = f"the server reads {self._unrefused}, which nobody offers: it may read anything"
        elif self.ours:
            text = "the server offers no resources"
        else:
            text = "the session has no read of a missing resource: record one to know"
        return CodeCheck(SKIPPED, text), ailing


def _discovered(exchange: Exchange) -> CodeCheck:
    if exchange.error:
        return refused_discovery(f"{exchange.error.get('code')} {str(exchange.error.get('message'))[:200]}")
    versions = exchange.result.get("supportedVersions")
    named = ", ".join(map(str, versions)) if type(versions) is list and versions else "no revision"
    return CodeCheck(Status.PASSED, f"the server supports {named}")


def refused_discovery(how: str) -> CodeCheck:
    """What is to be said of a server that does not know discovery."""
    return CodeCheck(Status.FAILED, f"server/discover was answered with {how}", Severity.ERROR)
