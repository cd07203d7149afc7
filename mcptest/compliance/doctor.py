"""What it takes to move to another revision, read off a recorded session.

Three things are asked: which features that the session uses are gone or deprecated (`moves.yaml`), which rules that are
new or changed the session would break, and how it refuses a resource that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mcptest.compliance.corpora import Corpus, page_url, revision_of
from mcptest.compliance.history import History
from mcptest.compliance.judging import Book, comply
from mcptest.compliance.moves import Effect, Move, Sight, Watch, advice, moves
from mcptest.compliance.reader import ERROR, Reader
from mcptest.compliance.revision import nearest
from mcptest.compliance.rule import Context
from mcptest.compliance.subjects import Exchange
from mcptest.compliance.versions import Bucket, diff_versions
from mcptest.errors import UsageError
from mcptest.findings import Evidence, Finding, Report, RuleInfo, Severity, Status, Verdict
from mcptest.protocol import errors
from mcptest.wire import Frame
from mcptest.wire.message import NOTIFICATION, REQUEST, RESPONSE

MISSING_RESOURCE = "RES-007"
_CODES = frozenset({errors.RESOURCE_NOT_FOUND, errors.INVALID_PARAMS})
_MOST_FRAMES = 5
SKIPPED = "skipped"
_MESSAGES = (REQUEST, NOTIFICATION, RESPONSE)


class CodeCheck(NamedTuple):
    """How the code of a refused read does: `passed`, `failed` (with the severity of the revision's demand) or
    `skipped`."""

    status: str
    text: str
    severity: Severity | None = None


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


class Ailment(NamedTuple):
    """One thing to change. `name` is that of a move or the id of a rule, `seen` what shows it, `frames` the first
    places; `already` means that the session breaks the rule in its own revision too."""

    name: str
    effect: Effect
    severity: Severity
    title: str
    seen: str
    frames: tuple[int, ...]
    todo: Mapping[str, str]
    url: str
    already: bool = False


class Diagnosis(NamedTuple):
    """`untested` are the new and changed rules that the session did not exercise, `sound` those that it keeps;
    `resource` is what the check of missing resources came to."""

    session: str
    name: str
    from_: str
    to: str
    ailments: tuple[Ailment, ...]
    sound: tuple[str, ...]
    untested: tuple[str, ...]
    crashed: tuple[Verdict, ...]
    resource: CodeCheck

    def with_effect(self, effect: Effect) -> list[Ailment]:
        return [ailment for ailment in self.ailments if ailment.effect is effect]

    def report(self, fail_on: Severity = Severity.ERROR) -> Report:
        way = f"{self.from_} → {self.to}"
        failed = [self._verdict(ailment, way) for ailment in self.ailments]
        told = {ailment.name for ailment in self.ailments}
        passed = [Verdict(rule, Status.PASSED, 1) for rule in self.sound if rule not in told]
        untested = [Verdict(rule, Status.UNTESTED, reason="the session did not exercise it") for rule in self.untested]
        return Report(
            f"moving from {self.from_} to {self.to}",
            (self.name,),
            (*failed, *passed, *untested, *self.crashed),
            {one.name: RuleInfo(one.name, one.severity, one.title, _todo(one), one.url) for one in self.ailments},
            fail_on=fail_on,
            notes=(f"missing resource: {self.resource.status}: {self.resource.text}",),
        )

    def _verdict(self, ailment: Ailment, way: str) -> Verdict:
        evidence = Evidence(self.name, session=self.session, frames=ailment.frames)
        message = f"{ailment.title} (seen: {ailment.seen}). {_todo(ailment)}"
        data = {"effect": ailment.effect.value, "already": ailment.already, "todo": dict(ailment.todo)}
        finding = Finding(ailment.name, ailment.severity, "move", way, message, evidence, data=data)
        return Verdict(ailment.name, Status.FAILED, 1, 1, "sessions", findings=(finding,))


def _todo(ailment: Ailment) -> str:
    return " ".join(f"{side.capitalize()}: {text}" for side, text in ailment.todo.items())


def diagnose(
    frames: Callable[[], Iterable[Frame]], book: Book, to: str, *, from_: str | None = None, source: str = ""
) -> Diagnosis:
    """Look at a session, which `frames` gives from its header on as often as it is asked. `from_` is the revision that
    it speaks, where the session does not tell."""
    target = book.corpora.named(to)
    start = None if from_ is None else book.corpora.named(from_)
    first = _Look(moves(), book, target, None if start is None else revision_of(start.name))
    history = first.read(frames())
    start = start or _spoken(history, book, source)
    if revision_of(target.name) < revision_of(start.name):
        raise UsageError(
            f"{target.name} is older than {start.name}, which the session speaks: only a move to a newer revision is "
            f"looked at (what differs: mcptest compliance diff {start.name} {target.name})"
        )
    wanted = [move for move in moves() if move.concerns(start.name, target.name)]
    found = [_moved(move, sight) for move in wanted if (sight := first.watch.sights[move.name])]
    told = {rule for move in wanted if first.watch.sights[move.name] for rule in move.covers}
    rules = _Rules(frames, book, start, target, source)
    found += rules.ailments(told)
    resource, ailing = first.resources(target)
    found += ailing
    return Diagnosis(
        history.session,
        source or history.name,
        start.name,
        target.name,
        tuple(sorted(found, key=lambda one: (list(Effect).index(one.effect), -one.severity))),
        rules.sound,
        rules.untested,
        rules.crashed,
        resource,
    )


def _spoken(history: History, book: Book, source: str) -> Corpus:
    """The revision that the handshake settled on, or else the one that most messages belong to."""
    settled = history.known.negotiated
    most = max(history.revisions, key=lambda revision: history.revisions[revision], default="")
    revision = most if settled is None else nearest(settled)
    corpus = book.corpora.of(revision) if revision else None
    if corpus is None:
        raise UsageError(f"nothing in {source or history.name} tells its revision: name it with --from")
    return corpus


def _moved(move: Move, sight: Sight) -> Ailment:
    if move.effect is Effect.BREAKS:
        severity = Severity.ERROR
    else:
        severity = Severity.WARNING if sight.count else Severity.INFO
    url = page_url(move.since, move.page)
    return Ailment(move.name, move.effect, severity, move.title, sight.text, tuple(sight.frames), move.todo, url)


class _Look:
    """The pass over a session that sees which features it uses and how it refuses missing resources."""

    def __init__(self, wanted: Sequence[Move], book: Book, target: Corpus, pin: str | None) -> None:
        self.watch = Watch(wanted)
        self._reader = Reader(self._happened, pin)
        self._rule = book.rules[MISSING_RESOURCE]
        demand = target.demands[MISSING_RESOURCE]
        self._context = Context(
            revision_of(target.name), demand.expect, demand.severity, demand.binds, self._reader.history, None
        )
        self._missing: dict[int, list[int]] = {}

    def read(self, frames: Iterable[Frame]) -> History:
        history = self._reader.read(frames)
        self.watch.finish(history)
        return history

    def _happened(self, event: str, sender: str, method: str | None, subject: Any) -> None:
        self.watch.happened(event, sender, method, subject)
        if event in _MESSAGES:
            counts = self._reader.history.revisions
            counts[subject.revision] = counts.get(subject.revision, 0) + 1
        if event == ERROR and method == "resources/read":
            self._refused(subject)

    def _refused(self, exchange: Exchange) -> None:
        """Whether the resource was missing is for the rule to say; for the code, see the check."""
        assert self._rule.applies is not None
        if exchange.answer is not None and exchange.code is not None and self._rule.applies(exchange, self._context):
            self._missing.setdefault(exchange.code, []).append(exchange.answer.seq)

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
        return CodeCheck(SKIPPED, "the session has no read of a missing resource: record one to know"), ailing


class _Rules:
    """The rules that are new or changed in the target, run over the session as the target has them."""

    def __init__(
        self, frames: Callable[[], Iterable[Frame]], book: Book, start: Corpus, target: Corpus, source: str
    ) -> None:
        self._frames, self._book, self._start, self._target, self._source = frames, book, start, target, source
        diff = diff_versions(start, target)
        changed = [*diff.within(Bucket.CHANGED), *diff.within(Bucket.ADDED)]
        chosen = [entry.rule_id for entry in changed if entry.rule_id != MISSING_RESOURCE]
        self._verdicts = self._run(target, chosen)
        self.sound = self._with(Status.PASSED)
        self.untested = self._with(Status.UNTESTED, Status.INCONCLUSIVE)
        self.crashed = tuple(verdict for verdict in self._verdicts if verdict.status is Status.CRASHED)

    def _run(self, corpus: Corpus, chosen: Sequence[str]) -> tuple[Verdict, ...]:
        if not chosen:  # which would mean all of them
            return ()
        return comply(self._frames(), self._book, spec=corpus.name, select=chosen, source=self._source).verdicts

    def _with(self, *statuses: Status) -> tuple[str, ...]:
        return tuple(verdict.rule for verdict in self._verdicts if verdict.status in statuses)

    def ailments(self, told: set[str]) -> list[Ailment]:
        failed = [one for one in self._verdicts if one.status is Status.FAILED and one.rule not in told]
        before = self._run(self._start, [one.rule for one in failed if one.rule in self._start.demands])
        already = {one.rule: _gravest(one) for one in before if one.status is Status.FAILED}
        return [self._ailment(one, already.get(one.rule)) for one in failed]

    def _ailment(self, verdict: Verdict, before: Severity | None) -> Ailment:
        demand, gravest = self._target.demands[verdict.rule], _gravest(verdict)
        sides = sorted({str(finding.data.get("by", demand.binds)) for finding in verdict.findings})
        text = advice(verdict.rule) or demand.text
        shown = verdict.findings[0].message if verdict.findings else ""
        frames = [frame for finding in verdict.findings for frame in finding.evidence.frames[:1]]
        return Ailment(
            verdict.rule,
            Effect.BREAKS if gravest >= Severity.ERROR else Effect.ADVISED,
            gravest,
            shown,
            verdict.counts,
            tuple(dict.fromkeys(frames))[:_MOST_FRAMES],
            dict.fromkeys(sides, text),
            self._target.url(verdict.rule),
            before is not None and before >= gravest,
        )


def _gravest(verdict: Verdict) -> Severity:
    return max((finding.severity for finding in verdict.findings), default=Severity.WARNING)
