"""A run as a Report, for every format: a test is a rule, and what it found amiss are its findings."""

from __future__ import annotations

from mcptest import findings
from mcptest.errors import EXIT_FINDINGS, EXIT_FINE, EXIT_REFUSED, EXIT_TARGET
from mcptest.findings import Evidence, Finding, Report, RuleInfo, Severity, Verdict
from mcptest.suites.nouns import Result, Run, Status

_MOST_DETAILS = 3  # that stand in a finding's own message; its data has all of them
_STATUSES = {
    Status.PASSED: findings.Status.PASSED,
    Status.FAILED: findings.Status.FAILED,
    Status.SKIPPED: findings.Status.UNTESTED,
}


def exit_code(run: Run) -> int:
    """3 if a server was lost for good, 1 if a test failed, 5 if the policy refused all that could have run."""
    if run.unreachable is not None:
        return EXIT_TARGET
    if run.count(Status.FAILED):
        return EXIT_FINDINGS
    refused = any(result.refused for result in run.results)
    return EXIT_REFUSED if refused and not run.count(Status.PASSED) else EXIT_FINE


def report(run: Run, notes: tuple[str, ...] = ()) -> Report:
    source = str(run.suite.path)
    return Report(
        f"Suite {source}",
        (source,),
        tuple(_verdict(run, result) for result in run.results),
        {result.entry.id: _rule(run, result) for result in run.results},
        notes=(*_sessions(run), *notes),
    )


def _rule(run: Run, result: Result) -> RuleInfo:
    entry = result.entry
    summary = f"on {entry.server}" if entry.server is not None else "on what was recorded"
    return RuleInfo(entry.id, Severity.ERROR, summary, f"Run it alone: {run.suite.alone(entry)}")


def _verdict(run: Run, result: Result) -> Verdict:
    found = tuple(_findings(run, result))
    checked = 0 if result.status is Status.SKIPPED else 1
    status = _STATUSES[result.status]
    return Verdict(result.entry.id, status, checked, int(bool(found)), "test", result.reason, found)


def _findings(run: Run, result: Result) -> list[Finding]:
    data = {"run": run.suite.alone(result.entry), **({"details": list(result.details)} if result.details else {})}
    return [
        Finding(
            result.entry.id,
            Severity.ERROR,
            "test",
            result.entry.name,
            "; ".join([failure.message, *result.details[:_MOST_DETAILS]]),
            Evidence(str(run.suite.path), "", failure.line or result.entry.line, failure.column or result.entry.column),
            failure.target,
            data,
        )
        for failure in result.failures
    ]


def _sessions(run: Run) -> list[str]:
    return [f"{server}: recorded as {', '.join(ids)}" for server, ids in run.sessions.items() if ids]
