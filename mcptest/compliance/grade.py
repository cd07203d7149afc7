"""A grade for one side of the sessions that were judged: A+ to F, and 0 to 100.

Only what was exercised counts, and the scorecard says how much of the corpus that was. Each rule that passed or failed
weighs its level times its section; a failed one loses what its gravest finding weighs. docs/grade.md tells the same to
users.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mcptest.compliance.corpora import Corpora, Corpus, Demand, name_of
from mcptest.compliance.engine import Outcome
from mcptest.errors import UsageError
from mcptest.findings import Finding, Severity, Status, Verdict, combine
from mcptest.wire.frame import SERVER

KEY, VERSION = "mcptest_scorecard", 1

LEVELS = {Severity.INFO: 0, Severity.WARNING: 3, Severity.ERROR: 10, Severity.CRITICAL: 10}
SECTIONS = {"JSONRPC": 3, "PROTO": 3, "TRANSPORT-STDIO": 3, "SCHEMA": 2, "TOOLS": 2, "RES": 2, "PROMPT": 2}
_OTHER_SECTION = 1

BEST = "A+"
_LETTERS = (("A", 90.0), ("B", 80.0), ("C", 70.0), ("D", 60.0), ("F", 0.0))
GRADES = (BEST, *(letter for letter, _ in _LETTERS))
_BELOW_A, _BELOW_D = 89.9, 59.9

# Without these two sides do not understand each other at all, so nothing else can make up for one of them.
HANDSHAKE = frozenset({"PROTO-001", "PROTO-002", "PROTO-003", "PROTO-004", "PROTO-007", "PROTO-030", "PROTO-035"})
FRAMING = frozenset(
    {"JSONRPC-001", "JSONRPC-022", "PROTO-008", "TRANSPORT-STDIO-001", "TRANSPORT-STDIO-002", "TRANSPORT-STDIO-003"}
)


class Section(NamedTuple):
    """A family of rules: how many of its `rules` were exercised, and which of those failed."""

    score: float | None
    exercised: int
    rules: int
    failed: tuple[str, ...] = ()


class Scorecard(NamedTuple):
    """`grade` and `score` are None where nothing was exercised. `rules` is how many the corpus has for this side and
    the transport, `capped` why the grade is lower than the points alone would give, `specs` the revisions that were
    judged by."""

    grade: str | None
    score: float | None
    side: str
    specs: tuple[str, ...]
    sections: Mapping[str, Section]
    exercised: int
    rules: int
    capped: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """`grade of the server: B, 89.9 of 100, on 84 of 190 rules (44 %); a failed MUST: TOOLS-010`."""
        covered = f"{self.exercised} of {self.rules} rules"
        if self.grade is None:
            return f"no grade for the {self.side}: nothing that counts was exercised ({covered})"
        share = f"{100 * self.exercised // self.rules} %"
        capped = f"; {'; '.join(self.capped)}" if self.capped else ""
        return f"grade of the {self.side}: {self.grade}, {self.score:g} of 100, on {covered} ({share}){capped}"

    def to_json(self) -> dict[str, Any]:
        return {
            KEY: VERSION,
            "grade": self.grade,
            "score": self.score,
            "side": self.side,
            "spec_versions": list(self.specs),
            "exercised": self.exercised,
            "rules": self.rules,
            "capped": list(self.capped),
            "sections": {
                name: {**section._asdict(), "failed": list(section.failed)} for name, section in self.sections.items()
            },
        }

    @classmethod
    def from_json(cls, document: Any, name: str) -> Scorecard:
        """The scorecard that `to_json` made; UsageError for anything else."""
        if not isinstance(document, Mapping) or type(document.get(KEY)) is not int:
            raise UsageError(f"{name} is not a scorecard: write one with mcptest compliance run --save-scorecard")
        if document[KEY] > VERSION:
            raise UsageError(
                f"{name} is a scorecard of version {document[KEY]}, this mcptest reads up to {VERSION}: upgrade it"
            )
        try:
            return _read(document)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UsageError(f"{name} is a damaged scorecard: {type(error).__name__}: {error}") from error


def grade_sessions(outcomes: Sequence[Outcome], corpora: Corpora, side: str = SERVER) -> Scorecard:
    """Grade what one side (`server`, `client`) did in some sessions; the other side's faults do not count."""
    demands: dict[str, Demand] = {}
    specs: list[str] = []
    for outcome in outcomes:
        for corpus in _in_force(outcome, corpora):
            specs.append(corpus.name)
            demands.update((rule, one) for rule, one in corpus.demands.items() if _holds_for(one, outcome.transport))
    marks: dict[str, list[_Mark]] = {}
    for verdict in combine(outcome.verdicts for outcome in outcomes):
        demand = demands.get(verdict.rule)
        if demand is not None and demand.binds in (side, "both"):
            marks.setdefault(demand.family, []).append(_mark(verdict, demand, side))
    return _card(marks, side, tuple(dict.fromkeys(specs)))


def _holds_for(demand: Demand, transport: str) -> bool:
    """A server on stdio is not measured by how much of HTTP it was tried on."""
    return not demand.transport or not transport or transport in demand.transport


class _Mark(NamedTuple):
    """What one rule contributes; `lost` is None where it was not exercised."""

    rule: str
    weight: float
    lost: float | None
    gravest: Severity | None = None


def _mark(verdict: Verdict, demand: Demand, side: str) -> _Mark:
    section = SECTIONS.get(demand.family, _OTHER_SECTION)
    weight = LEVELS[demand.severity] * section
    if verdict.status is Status.PASSED:
        return _Mark(verdict.rule, weight, 0)
    if verdict.status is not Status.FAILED:
        return _Mark(verdict.rule, weight, None)
    own = [finding.severity for finding in verdict.findings if _whose(finding, demand) == side]
    if own:
        return _Mark(verdict.rule, weight, min(weight, LEVELS[max(own)] * section), max(own))
    # Only so many findings are kept: among those that are not shown, some may be this side's.
    unsure = verdict.failed > len(verdict.findings)
    return _Mark(verdict.rule, weight, None if unsure else 0)


def _whose(finding: Finding, demand: Demand) -> str:
    return str(finding.data.get("by", demand.binds))


def _card(marks: Mapping[str, Sequence[_Mark]], side: str, specs: tuple[str, ...]) -> Scorecard:
    every = [mark for section in marks.values() for mark in section]
    exercised = sum(mark.lost is not None for mark in every)
    sections = {name: _section(found) for name, found in sorted(marks.items())}
    score = _score(every)
    if score is None:
        return Scorecard(None, None, side, specs, sections, exercised, len(every))
    broken = [mark.rule for mark in every if mark.gravest is not None and mark.gravest >= Severity.ERROR]
    capped = []
    for what, rules in (("the handshake failed", HANDSHAKE), ("the framing failed", FRAMING)):
        fatal = sorted(rules.intersection(broken))
        if fatal:
            score = min(score, _BELOW_D)
            capped.append(f"{what}: {', '.join(fatal)}")
    musts = sorted(set(broken) - HANDSHAKE - FRAMING)
    if broken:
        score = min(score, _BELOW_A)
    if musts:
        capped.append(f"a failed MUST: {', '.join(musts)}")
    letter = next(letter for letter, least in _LETTERS if score >= least)
    flawless = not any(mark.lost for mark in every)
    return Scorecard(BEST if flawless else letter, score, side, specs, sections, exercised, len(every), tuple(capped))


def _section(marks: Sequence[_Mark]) -> Section:
    failed = tuple(sorted(mark.rule for mark in marks if mark.lost))
    return Section(_score(marks), sum(mark.lost is not None for mark in marks), len(marks), failed)


def _score(marks: Iterable[_Mark]) -> float | None:
    """Rounded down, so that only what is flawless has 100."""
    judged = [(mark.weight, mark.lost) for mark in marks if mark.lost is not None]
    whole = sum(weight for weight, _ in judged)
    if not whole:
        return None
    return math.floor(1000 * (whole - sum(lost for _, lost in judged)) / whole) / 10


def _in_force(outcome: Outcome, corpora: Corpora) -> list[Corpus]:
    """The corpora that a session was judged by, oldest first: where two have a rule, the newer one's demand counts."""
    if outcome.pin is not None:
        return [corpora.named(outcome.pin)]
    found = [corpora.of(revision) for revision in sorted(outcome.revisions)]
    return [corpus for corpus in found if corpus is not None]


def _read(document: Mapping[str, Any]) -> Scorecard:
    letter, score = document["grade"], document["score"]
    if letter is not None and letter not in GRADES:
        raise ValueError(f"there is no grade {letter!r}")
    if (letter is None) != (score is None):
        raise ValueError("grade and score do not fit each other")
    sections = {
        str(name): Section(
            None if one["score"] is None else float(one["score"]),
            int(one["exercised"]),
            int(one["rules"]),
            tuple(map(str, one["failed"])),
        )
        for name, one in document["sections"].items()
    }
    return Scorecard(
        letter,
        None if score is None else float(score),
        str(document["side"]),
        tuple(name_of(str(spec)) for spec in document["spec_versions"]),
        sections,
        int(document["exercised"]),
        int(document["rules"]),
        tuple(map(str, document["capped"])),
    )


# ---- against an earlier scorecard


class GradeDelta(NamedTuple):
    """A scorecard beside an earlier one. `regressed_sections` are those with fewer points than before; a section that
    was not exercised this time is `unmeasured`, neither better nor worse."""

    grade: str | None
    score: float | None
    grade_regressed: bool
    regressed_sections: tuple[str, ...]
    unmeasured: tuple[str, ...]
    notes: tuple[str, ...]


def grade_delta(now: Scorecard, against: Scorecard) -> GradeDelta:
    """Compare with an earlier scorecard. No grade is worse than any: a run that exercised nothing must not pass for
    one that held its ground."""
    regressed, unmeasured = [], []
    for name, before in against.sections.items():
        if before.score is None:
            continue
        after = now.sections.get(name)
        if after is None or after.score is None:
            unmeasured.append(name)
        elif after.score < before.score:
            regressed.append(name)
    notes = []
    if now.side != against.side:
        notes.append(f"the {now.side} is compared with the {against.side}")
    if now.specs != against.specs:
        notes.append(f"judged by {_spoken(now.specs)}, before by {_spoken(against.specs)}")
    return GradeDelta(
        now.grade, now.score, _rank(now.grade) > _rank(against.grade), tuple(regressed), tuple(unmeasured), tuple(notes)
    )


TARGETS: dict[str, Callable[[GradeDelta], Any]] = {
    "grade": lambda delta: delta.grade,
    "score": lambda delta: delta.score,
    "grade_regressed": lambda delta: delta.grade_regressed,
    "regressed_sections": lambda delta: list(delta.regressed_sections),
}


def _rank(letter: str | None) -> int:
    return len(GRADES) if letter is None else GRADES.index(letter)


def _spoken(specs: Sequence[str]) -> str:
    return ", ".join(specs) or "no revision"
