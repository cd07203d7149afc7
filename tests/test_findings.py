from __future__ import annotations

import pytest

from mcptest.errors import UsageError
from mcptest.findings import Evidence, Finding, Report, Severity, StaleEntry, Status, Verdict, combine


def finding(severity: Severity = Severity.WARNING, rule: str = "X-001") -> Finding:
    return Finding(rule, severity, "tool", "search", "is odd", Evidence("tools.json", "/tools/0"))


def report(*verdicts: Verdict, **more: object) -> Report:
    return Report("t", ("tools.json",), verdicts, **more)  # type: ignore[arg-type]


FAILED = Verdict("X-001", Status.FAILED, 12, 3, "tools", None, (finding(),))


def test_a_verdict_counts_its_subjects() -> None:
    assert FAILED.counts == "3 of 12 tools"


def test_severities_are_ordered_and_named() -> None:
    assert Severity.INFO < Severity.WARNING < Severity.ERROR < Severity.CRITICAL
    assert Severity.named("error") is Severity.ERROR
    with pytest.raises(UsageError, match="known: info, warning, error, critical"):
        Severity.named("fatal")


@pytest.mark.parametrize(
    ("found", "code"),
    [
        (report(FAILED), 1),
        (report(FAILED, fail_on=Severity.ERROR), 0),
        (report(Verdict("X-001", Status.PASSED, 1)), 0),
        (report(Verdict("X-001", Status.UNTESTED)), 0),
        (report(Verdict("X-001", Status.PASSED, 1), stale=(StaleEntry("X-001", "tool a", None, "r"),)), 1),
        (report(FAILED, Verdict("X-002", Status.CRASHED)), 4),
    ],
    ids=["finding", "below the limit", "passed", "untested", "stale entry", "crashed"],
)
def test_the_exit_code_follows_from_what_was_found(found: Report, code: int) -> None:
    assert found.exit_code == code


def test_several_sources_make_one_verdict_and_the_worst_news_counts() -> None:
    passed = Verdict("X-001", Status.PASSED, 5, 0, "tools")
    untested = Verdict("X-001", Status.UNTESTED, 0, 0, "tools", "no tools to judge")
    crashed = Verdict("X-001", Status.CRASHED, 1, 0, "tools", "boom")
    assert combine([[passed], [FAILED], [untested]]) == (FAILED._replace(checked=17),)
    assert combine([[untested], [passed]])[0].status is Status.PASSED
    assert combine([[untested], [untested]])[0].status is Status.UNTESTED
    assert combine([[FAILED], [crashed]])[0].status is Status.CRASHED
    assert combine([[FAILED], [crashed]])[0].findings == FAILED.findings
