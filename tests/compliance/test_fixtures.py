"""Every rule says what its fixtures say it says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mcptest.compliance import Book, Demand, comply
from mcptest.findings import Severity, Status, Verdict
from mcptest.wire import Frame
from mcptest.wire.frame import HEADER
from tests.compliance.transcripts import FIXTURES, Case, Outcome, cases

BOOK = Book.load()
CASES = cases()
WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}


def judge(case: Case, frames: tuple[Frame, ...] | None = None) -> Verdict:
    outcome = comply(case.frames if frames is None else frames, BOOK, spec=case.pin, select=[case.rule])
    if not outcome.verdicts:
        return Verdict(case.rule, Status.UNTESTED, reason="no revision in force has this rule")
    (verdict,) = outcome.verdicts
    return verdict


def what_came_out(verdict: Verdict) -> Outcome:
    if verdict.status in (Status.PASSED, Status.FAILED) and verdict.findings:
        worst = max(finding.severity for finding in verdict.findings)
        places = {finding.evidence.frames for finding in verdict.findings if finding.severity is worst}
        return Outcome(WORDS[worst], verdict.failed or len(places), verdict.checked)
    if verdict.status is Status.PASSED:
        return Outcome("passed", 0, verdict.checked)
    return Outcome(str(verdict.status))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_decides_as_its_fixture_says(case):
    verdict = judge(case)
    said = what_came_out(verdict)
    expected = case.outcome._replace(checked=said.checked if case.outcome.checked is None else case.outcome.checked)
    assert said == expected, f"{verdict.status}: {verdict.reason}\n" + "\n".join(map(str, verdict.findings))
    shown = [finding.evidence.frames[0] for finding in verdict.findings if finding.evidence.frames]
    found = {case.first.get(frame, frame) for frame in shown}
    assert found == case.marked, "the findings are on other frames than those marked"


def cut(frames: tuple[Frame, ...]) -> Iterator[tuple[Frame, ...]]:
    """The session without its beginning, and without its end, at every place."""
    header, rest = frames[0], frames[1:]
    assert header.channel == HEADER
    for at in range(1, len(rest)):
        yield (header, *(frame._replace(seq=seq) for seq, frame in enumerate(rest[at:], 1)))
        yield (header, *rest[:at])


SILENT = [case for case in CASES if case.outcome.word == "passed"]


@pytest.mark.parametrize("case", SILENT, ids=str)
def test_a_rule_that_passes_a_session_fails_no_part_of_it(case):
    """A capture that starts late or ends early is inconclusive or untested, never failed."""
    for part in cut(case.frames):
        verdict = judge(case, part)
        assert verdict.status in (Status.PASSED, Status.INCONCLUSIVE, Status.UNTESTED), (
            f"{verdict.findings} from frame {part[1].data!r} to {part[-1].data!r}"
        )


def variants(rule: str) -> dict[str, list[str]]:
    """The rule's different demands, each with the revisions that have it."""
    found: dict[str, list[str]] = {}
    for corpus in BOOK.corpora:
        demand: Demand | None = corpus.demands.get(rule)
        if demand is not None and corpus.name != "draft":
            found.setdefault(repr((demand.severity, demand.expect)), []).append(corpus.name[1:])
    return found


@pytest.mark.parametrize("rule", sorted(BOOK.rules))
def test_a_rule_fires_and_stays_silent_in_each_of_its_variants(rule):
    own = [case for case in CASES if case.rule == rule]
    for what, revisions in variants(rule).items():
        spoken = [case for case in own if case.revision in revisions or (case.pin or "")[1:] in revisions]
        # A session without an opening belongs to no revision by itself: it may stand for any.
        spoken += [case for case in own if case.revision == "none" and case.pin is None]
        words = {case.outcome.word for case in spoken}
        assert words & {"error", "warning", "info"}, f"no fixture of {rule} fires in {revisions}: {what}"
        assert "passed" in words, f"no fixture of {rule} stays silent in {revisions}: {what}"


def test_every_fixture_belongs_to_a_rule():
    known = {rule for corpus in BOOK.corpora for rule in corpus.demands}
    for path in sorted(FIXTURES.rglob("*.md")):
        assert path.stem in known
        assert path.parent.name == path.stem.rpartition("-")[0]
