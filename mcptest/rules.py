"""Rules and how they are run. A rule is a module: its docstring is the manual, its first line the summary.

    ID = "DESC-002"
    SEVERITY = Severity.WARNING
    ON = tools                      # what it judges, and so what "3 of 12 tools" counts
    OPTIONS = {"max_length": 2000}  # optional; `check` then takes the options as its second argument

    def check(tool, options): ...   # yields messages, or Remarks that point inside the subject

A rule reads its subject and nothing else: no network, no files, no clock. One that cannot decide raises
Inconclusive. One that raises anything else has crashed, which is a verdict too; the run goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from mcptest.catalogue import Catalogue, Entry, Source, Tool
from mcptest.findings import Evidence, Finding, RuleInfo, Severity, Status, Verdict
from mcptest.jsontext import same

__all__ = [
    "InContext",
    "Inconclusive",
    "Relisted",
    "Remark",
    "Rule",
    "Selector",
    "Severity",
    "catalogues",
    "entries",
    "entries_in_context",
    "judge",
    "prompts",
    "relisted",
    "resources",
    "templates",
    "tools",
    "tools_in_context",
]

# A server with a hundred thousand untyped properties needs to hear it once, not a hundred thousand times.
MOST_REMARKS = 100
MOST_COUNTED = 1_000


class Inconclusive(Exception):  # noqa: N818 -- a verdict, not an error
    """Raised by a rule that cannot judge this subject; the text says why."""


class Remark(NamedTuple):
    """What a rule says about its subject: at a JSON pointer inside it, in frames beyond its own, with data for
    machines. `severity` overrides the rule's own."""

    message: str
    within: str = ""
    data: Mapping[str, Any] = {}
    severity: Severity | None = None
    frames: tuple[int, ...] = ()


def _evidence(subject: Any, remark: Remark) -> Evidence:
    """For subjects that stand in a Source at a pointer."""
    source, where = subject.source, subject.pointer + remark.within
    line, column = source.position(where) or (None, None)
    frames = remark.frames or (() if source.frame is None else (source.frame,))
    return Evidence(source.name, where, line, column, source.session, frames)


class Selector(NamedTuple):
    """What a rule judges. `select` takes what is under judgement apart into subjects; each has a `kind` and a `name`,
    and `evidence` says where a remark on it can be seen."""

    noun: str
    select: Callable[[Any], Iterable[Any]]
    evidence: Callable[[Any, Remark], Evidence] = _evidence


class Rule(NamedTuple):
    id: str
    severity: Severity
    on: Selector
    check: Callable[[Any], Iterable[Remark | str] | None]
    summary: str
    help: str
    options: Mapping[str, Any]
    origin: str

    @property
    def family(self) -> str:
        return self.id.rpartition("-")[0]

    @property
    def info(self) -> RuleInfo:
        return RuleInfo(self.id, self.severity, self.summary, self.help)


class Relisted(NamedTuple):
    """One tool's definitions in the listings of one session, from first to last."""

    definitions: tuple[Tool, ...]
    kind: str = "tool"

    @property
    def name(self) -> str:
        return self.definitions[-1].name

    @property
    def source(self) -> Source:
        return self.definitions[-1].source

    @property
    def pointer(self) -> str:
        return self.definitions[-1].pointer


class InContext(NamedTuple):
    """One entry of the last listing, for rules that compare it with its neighbours."""

    entry: Entry
    catalogue: Catalogue

    @property
    def kind(self) -> str:
        return self.entry.kind

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def source(self) -> Source:
        return self.entry.source

    @property
    def pointer(self) -> str:
        return self.entry.pointer


def _listings(catalogue: Catalogue) -> Iterator[Catalogue]:
    """The session's listings, the last one first."""
    current: Catalogue | None = catalogue
    while current is not None:
        yield current
        current = current.earlier


def _distinct(pick: Callable[[Catalogue], Sequence[Any]]) -> Callable[[Catalogue], Iterator[Any]]:
    """The entries of the last listing, and those of earlier ones that differ from all that came after."""

    def select(catalogue: Catalogue) -> Iterator[Any]:
        yield from pick(catalogue)
        if catalogue.earlier is None:
            return
        known: dict[str, list[Any]] = {}
        for entry in pick(catalogue):
            known.setdefault(entry.name, []).append(entry.raw)
        for listing in islice(_listings(catalogue), 1, None):
            for entry in pick(listing):
                others = known.setdefault(entry.name, [])
                if not any(same(entry.raw, other) for other in others):
                    others.append(entry.raw)
                    yield entry

    return select


def _relisted(catalogue: Catalogue) -> Iterator[Relisted]:
    history: dict[str, list[Tool]] = {}
    for listing in list(_listings(catalogue))[::-1]:
        for name, tool in {tool.name: tool for tool in listing.tools}.items():
            history.setdefault(name, []).append(tool)
    return (Relisted(tuple(definitions)) for definitions in history.values() if len(definitions) > 1)


tools = Selector("tools", _distinct(lambda catalogue: catalogue.tools))
resources = Selector("resources", _distinct(lambda catalogue: catalogue.resources))
templates = Selector("templates", _distinct(lambda catalogue: catalogue.templates))
prompts = Selector("prompts", _distinct(lambda catalogue: catalogue.prompts))
entries = Selector("entries", _distinct(lambda catalogue: catalogue.entries))
catalogues = Selector("catalogues", _listings)
tools_in_context = Selector("tools", lambda catalogue: (InContext(tool, catalogue) for tool in catalogue.tools))
entries_in_context = Selector("entries", lambda catalogue: (InContext(entry, catalogue) for entry in catalogue.entries))
relisted = Selector("tools listed twice", _relisted)


class _Tally:
    """One rule's run so far."""

    __slots__ = ("checked", "crash", "failed", "findings", "rule", "undecided")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.checked = self.failed = 0
        self.findings: list[Finding] = []
        self.undecided: str | None = None
        self.crash: str | None = None

    def judge(self, subject: Any) -> None:
        if self.crash:
            return
        self.checked += 1
        before = len(self.findings)
        try:
            self._collect(subject)
        except Inconclusive as reason:
            self.undecided = self.undecided or f"{subject.kind} {subject.name!r}: {reason}"
        except Exception as error:  # noqa: BLE001 -- a rule's own fault is a verdict, and the others still run
            self.crash = f"{type(error).__name__}: {error} ({_where(error)}) on {subject.kind} {subject.name!r}"
        self.failed += len(self.findings) > before

    def _collect(self, subject: Any) -> None:
        remarks = iter(self.rule.check(subject) or ())
        for said in islice(remarks, MOST_REMARKS):
            self._add(subject, said if isinstance(said, Remark) else Remark(said))
        rest = sum(1 for _ in islice(remarks, MOST_COUNTED - MOST_REMARKS))
        if rest:
            more = " or more" if rest == MOST_COUNTED - MOST_REMARKS else ""
            self._add(subject, Remark(f"{rest}{more} further remarks of this rule"))

    def _add(self, subject: Any, remark: Remark) -> None:
        rule = self.rule
        self.findings.append(
            Finding(
                rule.id,
                rule.severity if remark.severity is None else remark.severity,
                subject.kind,
                subject.name,
                remark.message,
                rule.on.evidence(subject, remark),
                remark.within,
                remark.data,
            )
        )

    def verdict(self) -> Verdict:
        status: Status
        reason: str | None
        if self.crash:
            status, reason = Status.CRASHED, self.crash
        elif self.findings:
            status, reason = Status.FAILED, self.undecided
        elif self.undecided:
            status, reason = Status.INCONCLUSIVE, self.undecided
        elif self.checked:
            status, reason = Status.PASSED, None
        else:
            status, reason = Status.UNTESTED, f"no {self.rule.on.noun} to judge"
        return Verdict(self.rule.id, status, self.checked, self.failed, self.rule.on.noun, reason, tuple(self.findings))


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "unknown place"


def judge(rules: Sequence[Rule], target: Any) -> tuple[Verdict, ...]:
    """Run rules over one target; one pass over the subjects of each selector serves all of its rules."""
    tallies = {rule.id: _Tally(rule) for rule in rules}
    groups: dict[int, list[Rule]] = {}
    for rule in rules:
        groups.setdefault(id(rule.on.select), []).append(rule)
    for group in groups.values():
        for subject in group[0].on.select(target):
            for rule in group:
                tallies[rule.id].judge(subject)
    return tuple(tally.verdict() for tally in tallies.values())
