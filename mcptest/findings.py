"""The words that judges speak in: a finding is one rule's remark on one place, a verdict is how one rule came out."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mcptest.errors import EXIT_FAULT, EXIT_FINDINGS, EXIT_FINE, UsageError


class Severity(enum.IntEnum):
    """How much a finding matters. A specification's MUST is an error, its SHOULD a warning."""

    INFO = 1
    WARNING = 2
    ERROR = 3
    CRITICAL = 4

    @property
    def label(self) -> str:
        return self.name.lower()

    @classmethod
    def named(cls, label: str) -> Severity:
        try:
            return cls[label.upper()]
        except KeyError:
            known = ", ".join(severity.label for severity in cls)
            raise UsageError(f"unknown severity {label!r}; known: {known}") from None


class Status(enum.StrEnum):
    """How a rule came out. Untested: it met nothing to judge. Inconclusive: it could not judge all that it met."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    UNTESTED = "untested"
    CRASHED = "crashed"


# Which status speaks for several runs of one rule: the worst news first, and nothing judged never hides a pass.
_STRENGTH = (Status.CRASHED, Status.FAILED, Status.INCONCLUSIVE, Status.PASSED, Status.UNTESTED)


class Evidence(NamedTuple):
    """Where a finding can be seen: a pointer into a source, its line and column there; for a session its frames."""

    source: str
    pointer: str = ""
    line: int | None = None
    column: int | None = None
    session: str | None = None
    frames: tuple[int, ...] = ()
    excerpt: str | None = None


class Finding(NamedTuple):
    """`kind` and `subject` say what was judged (`tool`, `search`); `within` is a JSON pointer inside it, which stays
    the same when others are added before it; `data` is for machines, with keys that the rule documents."""

    rule: str
    severity: Severity
    kind: str
    subject: str
    message: str
    evidence: Evidence
    within: str = ""
    data: Mapping[str, Any] = {}

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes two findings the same remark, in one run or in two."""
        return self.rule, self.kind, self.subject, self.within


class Verdict(NamedTuple):
    """One rule over some subjects: `checked` of them were judged, `failed` of those have findings."""

    rule: str
    status: Status
    checked: int = 0
    failed: int = 0
    noun: str = "subjects"
    reason: str | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def counts(self) -> str:
        """`3 of 12 tools`."""
        return f"{self.failed} of {self.checked} {self.noun}"


class RuleInfo(NamedTuple):
    """What a reader of a report wants to know of a rule."""

    id: str
    severity: Severity
    summary: str
    help: str
    url: str | None = None


class StaleEntry(NamedTuple):
    """A baseline entry that accepted nothing."""

    rule: str
    subject: str
    within: str | None
    reason: str


class Gate(NamedTuple):
    """A condition on a run as a whole, beside its rules; one that does not hold fails the run, whatever the findings'
    severities."""

    name: str
    passed: bool
    text: str

    @property
    def line(self) -> str:
        return f"{'PASS' if self.passed else 'FAIL'} {self.name}: {self.text}"


FINDING, CHANGE = "finding", "change"


class Report(NamedTuple):
    """What judges said about some sources. `accepted` are findings that the baseline listed; they fail nothing.
    `scores` are those of the tools of each source. `noun` says what its findings are called: a comparison of two
    catalogues has changes. `notes` are facts that a reader needs beside the findings."""

    title: str
    sources: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, RuleInfo] = {}
    accepted: tuple[Finding, ...] = ()
    stale: tuple[StaleEntry, ...] = ()
    scores: Mapping[str, Mapping[str, float]] = {}
    fail_on: Severity = Severity.WARNING
    noun: str = FINDING
    gates: tuple[Gate, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for verdict in self.verdicts for finding in verdict.findings)

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity, the gravest first."""
        found = [finding.severity for finding in self.findings]
        return {severity: found.count(severity) for severity in sorted(Severity, reverse=True)}

    @property
    def failing(self) -> bool:
        held = all(gate.passed for gate in self.gates)
        return bool(self.stale) or not held or any(finding.severity >= self.fail_on for finding in self.findings)

    @property
    def exit_code(self) -> int:
        if any(verdict.status is Status.CRASHED for verdict in self.verdicts):
            return EXIT_FAULT
        return EXIT_FINDINGS if self.failing else EXIT_FINE


def combine(runs: Iterable[Sequence[Verdict]]) -> tuple[Verdict, ...]:
    """The verdicts of one rule over several sources as one verdict, in the order of the rules."""
    merged: dict[str, list[Verdict]] = {}
    for run in runs:
        for verdict in run:
            merged.setdefault(verdict.rule, []).append(verdict)
    return tuple(_combine_one(verdicts) for verdicts in merged.values())


def _combine_one(verdicts: Sequence[Verdict]) -> Verdict:
    if len(verdicts) == 1:
        return verdicts[0]
    worst = min(verdicts, key=lambda verdict: _STRENGTH.index(verdict.status))
    return Verdict(
        worst.rule,
        worst.status,
        sum(verdict.checked for verdict in verdicts),
        sum(verdict.failed for verdict in verdicts),
        worst.noun,
        worst.reason,
        tuple(finding for verdict in verdicts for finding in verdict.findings),
    )
