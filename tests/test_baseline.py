from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest import baseline
from mcptest.baseline import Entry
from mcptest.errors import UsageError
from mcptest.findings import Evidence, Finding, Report, RuleInfo, Severity, Status, Verdict

KNOWN = ["A-001", "A-002", "A-003"]


def finding(rule: str = "A-001", subject: str = "search", within: str = "/x") -> Finding:
    return Finding(
        rule, Severity.WARNING, "tool", subject, "is odd", Evidence("tools.json", "/tools/0" + within), within
    )


def report(*findings: Finding, passed: tuple[str, ...] = ()) -> Report:
    rules = dict.fromkeys([item.rule for item in findings])
    verdicts = [
        Verdict(rule, Status.FAILED, 5, 1, "tools", None, tuple(item for item in findings if item.rule == rule))
        for rule in rules
    ]
    verdicts += [Verdict(rule, Status.PASSED, 5) for rule in passed]
    infos = {verdict.rule: RuleInfo(verdict.rule, Severity.WARNING, "s", "h") for verdict in verdicts}
    return Report("t", ("tools.json",), tuple(verdicts), infos)


def entry(rule: str = "A-001", subject: str = "search", within: str | None = "/x") -> Entry:
    return Entry(rule, "tool", subject, within, "because")


def test_an_accepted_finding_fails_nothing_and_is_still_told() -> None:
    found = baseline.apply(report(finding(), finding("A-002")), [entry()], KNOWN)
    assert [item.rule for item in found.findings] == ["A-002"]
    assert [(item.rule, item.data) for item in found.accepted] == [("A-001", {"reason": "because"})]
    assert [verdict.status for verdict in found.verdicts] == [Status.PASSED, Status.FAILED]
    assert found.exit_code == 1
    assert baseline.apply(report(finding()), [entry()], KNOWN).exit_code == 0


def test_an_entry_without_a_place_accepts_all_of_a_rule_on_its_subject() -> None:
    found = baseline.apply(report(finding(), finding(within="/y"), finding(subject="add")), [entry(within=None)], KNOWN)
    assert [item.subject for item in found.findings] == ["add"]
    assert len(found.accepted) == 2


def test_a_stale_entry_fails_the_run() -> None:
    found = baseline.apply(report(passed=("A-001",)), [entry()], KNOWN)
    assert [stale.rule for stale in found.stale] == ["A-001"]
    assert found.exit_code == 1


def test_an_entry_of_an_unknown_rule_is_stale() -> None:
    assert baseline.apply(report(passed=("A-001",)), [entry("Z-009")], KNOWN).stale[0].rule == "Z-009"


def test_an_entry_whose_rule_did_not_run_is_left_alone() -> None:
    assert baseline.apply(report(passed=("A-001",)), [entry("A-003")], KNOWN).stale == ()


def test_an_update_accepts_what_is_there_and_keeps_reasons() -> None:
    found = report(finding(), finding(within="/new"), passed=("A-002",))
    updated = baseline.update(found, [entry(), entry("A-002"), entry("A-003")], KNOWN)
    assert [(item.rule, item.within, item.reason) for item in updated] == [
        ("A-001", "/new", baseline.UNREVIEWED),
        ("A-001", "/x", "because"),
        ("A-003", "/x", "because"),
    ]
    assert baseline.apply(found, updated, KNOWN).exit_code == 0


def test_an_update_keeps_a_wide_entry_wide() -> None:
    assert baseline.update(report(finding(), finding(within="/y")), [entry(within=None)], KNOWN) == [entry(within=None)]


@given(
    st.lists(st.builds(Entry, st.just("A-001"), st.just("tool"), st.text(), st.none() | st.text(), st.text(min_size=1)))
)
def test_what_is_written_is_read_back(entries: list[Entry]) -> None:
    kept = [item for item in entries if item.reason.strip()]
    assert baseline.parse(baseline.dump(kept), "b.toml") == kept


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("accept = 5", "must be written as"),
        ("[[accept]]\nrule = 'A'", "entry 1 needs a reason"),
        ("[[accept]]\nrule = 'A'\nreason = ' '\ntool = 'x'", "needs a reason"),
        ("[[accept]]\nrule = 'A'\nreason = 'r'", "needs exactly one subject"),
        ("[[accept]]\nrule = 'A'\nreason = 'r'\ntool = 'a'\nprompt = 'b'", "exactly one subject"),
        ("[[accept]]\nrule = 5", "must be a table of strings"),
        ("version = 2", "of version 2"),
        ("accepted = []", "unknown key 'accepted'"),
        ("[[", "is not TOML"),
    ],
)
def test_a_broken_baseline_is_one_clear_line(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        baseline.parse(text, "b.toml")
    assert str(caught.value).startswith("b.toml")


def test_a_missing_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no baseline .*--update-baseline writes one"):
        baseline.load(tmp_path / "none.toml")


def test_a_subject_of_several_words_is_written_and_read_again() -> None:
    found = finding()._replace(kind="content block")
    entries = baseline.update(report(found), [], KNOWN)
    assert baseline.parse(baseline.dump(entries), "b.toml") == entries
    assert baseline.apply(report(found), entries, KNOWN).findings == ()
