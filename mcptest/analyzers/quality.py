"""How well a model can use each tool: a score from 0 to 1, and numbers that a suite can set limits to.

The score is a weighted sum of shares, each from 0 to 1:

| share | weight | 1 means |
|---|---|---|
| description | 0.30 | it has three words or more, says more than the name, tells its tool apart, is not overlong |
| parameters described | 0.20 | every parameter has a description, or is at least mentioned (which counts half) |
| types | 0.20 | every property has a type or a list of values |
| strictness | 0.15 | every object says what is required, and refuses what it does not declare |
| limits | 0.05 | every string and array property has a greatest length |
| annotations | 0.05 | the hints are there and well-formed |
| result | 0.05 | the description or an output schema says what comes back |

A tool that cannot be called (no usable schema) scores 0; one whose definition looks poisoned scores at most 0.1; one
with an untyped property scores at most 0.6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mcptest.analyzers import words
from mcptest.analyzers.outline import Outline, outline
from mcptest.analyzers.rules import sch_001_no_required, sch_002_open_object
from mcptest.catalogue import Catalogue, Tool
from mcptest.findings import Finding, Severity, Verdict
from mcptest.rules import Inconclusive

WEIGHTS = {
    "description": 0.30,
    "parameters": 0.20,
    "types": 0.20,
    "strictness": 0.15,
    "limits": 0.05,
    "annotations": 0.05,
    "result": 0.05,
}
POISONED, UNTYPED = 0.1, 0.6
_SCHEMA_FAMILY = "SCH"
_POISONING = ("SEC-001", "SEC-002", "SEC-003", "SEC-004", "SEC-005", "SEC-006", "SEC-008")
_UNUSABLE = ("CAT-001", "CAT-003")
# How much of the description's share a finding takes away.
_DESCRIPTION = {"DESC-001": 0.6, "DESC-002": 1.0, "DESC-003": 0.6, "DESC-004": 0.5, "DESC-007": 0.3, "SEC-007": 0.5}


class Quality(NamedTuple):
    """Scores by tool, and counts of findings: `critical_count` (critical and error) and `warning_count` leave the
    schema rules out, which have counts of their own."""

    scores: Mapping[str, float]
    critical_count: int
    warning_count: int
    schema_criticals: int
    schema_warnings: int

    @property
    def min_score(self) -> float | None:
        return min(self.scores.values(), default=None)

    @property
    def mean_score(self) -> float | None:
        return round(sum(self.scores.values()) / len(self.scores), 4) if self.scores else None

    def targets(self) -> dict[str, float | None]:
        """Everything that a suite can set a limit to, by the name that it uses there."""
        return {
            "min_score": self.min_score,
            "mean_score": self.mean_score,
            "critical_count": self.critical_count,
            "warning_count": self.warning_count,
            "schema_criticals": self.schema_criticals,
            "schema_warnings": self.schema_warnings,
            **{f'tool["{name}"].score': score for name, score in self.scores.items()},
        }


def score(catalogue: Catalogue, verdicts: Sequence[Verdict]) -> Quality:
    """The quality of a catalogue, given what all the lint rules said about it."""
    findings = [finding for verdict in verdicts for finding in verdict.findings]
    by_tool: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.kind == "tool":
            by_tool.setdefault(finding.subject, []).append(finding)
    scores = {tool.name: _score(tool, by_tool.get(tool.name, [])) for tool in catalogue.tools}
    schema = [finding.severity for finding in findings if finding.rule.startswith(_SCHEMA_FAMILY)]
    others = [finding.severity for finding in findings if not finding.rule.startswith(_SCHEMA_FAMILY)]
    return Quality(
        scores,
        sum(severity >= Severity.ERROR for severity in others),
        others.count(Severity.WARNING),
        schema.count(Severity.CRITICAL),
        schema.count(Severity.WARNING),
    )


def _score(tool: Tool, findings: Sequence[Finding]) -> float:
    rules = {finding.rule for finding in findings}
    if not rules.isdisjoint(_UNUSABLE):
        return 0.0
    view = outline(tool)
    described = max(0.0, 1 - sum(cost for rule, cost in _DESCRIPTION.items() if rule in rules))
    if described and len((tool.description or "").split()) < 3:
        described = min(described, 0.4)
    types, limits = _properties(view)
    shares = {
        "description": described,
        "parameters": _parameters(tool, view),
        "types": types,
        "strictness": _strictness(view),
        "limits": limits,
        "annotations": float(isinstance(tool.annotations, dict) and bool(tool.annotations) and "ANN-001" not in rules),
        "result": float(described > 0 and "DESC-008" not in rules),
    }
    total = sum(WEIGHTS[name] * share for name, share in shares.items())
    if types < 1:
        total = min(total, UNTYPED)
    if not rules.isdisjoint(_POISONING):
        total = min(total, POISONED)
    return round(total, 4)


def _parameters(tool: Tool, view: Outline) -> float:
    text = words.stems(tool.description or "")
    points = [
        1.0 if view.described(schema) else 0.5 if words.mentions(text, name) else 0.0
        for name, schema in view.parameters.items()
    ]
    return _mean(points)


def _properties(view: Outline) -> tuple[float, float]:
    types: list[float] = []
    limits: list[float] = []
    try:
        for part in view.properties():
            types.append(float(view.constrained(part.schema)))
            limits.append(float(not view.unbounded(part.schema)))
    except Inconclusive:
        pass
    return _mean(types), _mean(limits)


def _strictness(view: Outline) -> float:
    points: list[float] = []
    try:
        for part in view.objects():
            open_ = sch_002_open_object.is_open(view, part)
            points.append((2 - open_ - sch_001_no_required.lacks_required(view, part)) / 2)
    except Inconclusive:
        pass
    return _mean(points)


def _mean(points: Sequence[float]) -> float:
    return sum(points) / len(points) if points else 1.0
