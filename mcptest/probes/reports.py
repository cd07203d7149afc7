"""Probes and fuzzing as a Report, for every format: by probe, or, where test cases are shown, by tool and probe."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mcptest.errors import EXIT_FINDINGS, EXIT_FINE, EXIT_REFUSED
from mcptest.findings import Evidence, Finding, Report, RuleInfo, Severity, Status
from mcptest.findings import Verdict as Ruled
from mcptest.probes.check import CHECKS
from mcptest.probes.outcomes import Flaw, FuzzFailure, FuzzReport, ProbeReport, Result, Verdict

SERVER = "server"  # the subject of what concerns no tool
_SEVERITIES = {
    Verdict.CRASHED: Severity.CRITICAL,
    Verdict.HUNG: Severity.CRITICAL,
    Verdict.VIOLATED: Severity.ERROR,
    Verdict.ACCEPTED: Severity.ERROR,
}
_FLAWS = {
    Flaw.CRASH: (Severity.CRITICAL, "The server died, or dropped the connection"),
    Flaw.HANG: (Severity.CRITICAL, "The server did not answer"),
    Flaw.VIOLATION: (Severity.ERROR, "The server's answer is no proper answer"),
    Flaw.LEAK: (Severity.ERROR, "An error text tells what is nobody's business"),
}
_LONGEST_ARGUMENTS = 2000  # characters of arguments that stand in a report

Reproduce = Callable[[Result], str]
ReproduceFuzz = Callable[[str, FuzzFailure], str]


def exit_code(reports: Sequence[ProbeReport] | Sequence[FuzzReport]) -> int:
    """0 fine, 1 a gate did not hold, 5 the policy refused all there was to call."""
    if any(not report.gate_passed for report in reports):
        return EXIT_FINDINGS
    ran = any(report.cases_run if isinstance(report, FuzzReport) else report.checks_run for report in reports)
    return EXIT_REFUSED if not ran and any(_was_refused(report) for report in reports) else EXIT_FINE


def _was_refused(report: ProbeReport | FuzzReport) -> bool:
    if isinstance(report, FuzzReport):
        return report.refused is not None
    return any(result.verdict is Verdict.REFUSED for result in report.results)


def probe_report(
    reports: Sequence[ProbeReport],
    source: str,
    reproduce: Reproduce,
    *,
    notes: Sequence[str] = (),
    by_case: bool = False,
) -> Report:
    results = [result for report in reports for result in report.results]
    names = [name for name in CHECKS if any(result.check == name for result in results)]
    rules = {name: _rule(name) for name in names}
    if by_case:
        verdicts = [_ruled(f"{_whose(one)}: {one.check}", [one], source, reproduce) for one in results]
    else:
        verdicts = [_ruled(name, [one for one in results if one.check == name], source, reproduce) for name in names]
    return Report(f"Probes of {source}", (source,), tuple(verdicts), rules, notes=tuple(notes))


def _rule(name: str) -> RuleInfo:
    check = CHECKS[name]
    return RuleInfo(name, Severity.ERROR, f"{check.summary.rstrip('.')} ({check.taxonomy})", check.help)


def _ruled(rule: str, results: list[Result], source: str, reproduce: Reproduce) -> Ruled:
    ran = [one for one in results if one.verdict.ran]
    findings = tuple(_finding(rule, one, source, reproduce) for one in ran if one.verdict.failed)
    status = Status.FAILED if findings else Status.PASSED if ran else Status.UNTESTED
    reason = None if ran else results[0].evidence
    return Ruled(rule, status, len(ran), len(findings), "tools", reason, findings)


def _finding(rule: str, result: Result, source: str, reproduce: Reproduce) -> Finding:
    data: dict[str, Any] = {
        "verdict": result.verdict.value,
        "taxonomy": result.taxonomy,
        "duration_ms": round(result.duration_ms, 1),
        "reproduce": reproduce(result),
    }
    if result.arguments is not None and len(_json(result.arguments)) <= _LONGEST_ARGUMENTS:
        data["arguments"] = result.arguments
    return Finding(
        rule,
        _SEVERITIES[result.verdict],
        "tool" if result.tool is not None else "target",
        _whose(result),
        f"{result.verdict.value}: {result.evidence}",
        Evidence(source, session=result.session),
        "",
        data,
    )


def _whose(result: Result) -> str:
    return result.tool if result.tool is not None else SERVER


def fuzz_report(
    reports: Sequence[FuzzReport],
    source: str,
    reproduce: ReproduceFuzz,
    *,
    notes: Sequence[str] = (),
    by_case: bool = False,
) -> Report:
    rules = {flaw.value: RuleInfo(flaw.value, severity, text, text + ".") for flaw, (severity, text) in _FLAWS.items()}
    verdicts = list(_by_tool(reports, source, reproduce) if by_case else _by_flaw(reports, source, reproduce))
    return Report(f"Fuzzing of {source}", (source,), tuple(verdicts), rules, notes=tuple(notes))


def _by_flaw(reports: Sequence[FuzzReport], source: str, reproduce: ReproduceFuzz) -> Iterator[Ruled]:
    ran = [report for report in reports if report.cases_run]
    why = next((report.skipped for report in reports if report.skipped), "the server lists no tool")
    for flaw in Flaw:
        found = tuple(
            _fuzz_finding(flaw.value, report.tool, one, source, reproduce)
            for report in ran
            for one in report.failures
            if one.flaw is flaw
        )
        status = Status.FAILED if found else Status.PASSED if ran else Status.UNTESTED
        failed = len({finding.subject for finding in found})
        yield Ruled(flaw.value, status, len(ran), failed, "tools", None if ran else why, found)


def _by_tool(reports: Sequence[FuzzReport], source: str, reproduce: ReproduceFuzz) -> Iterator[Ruled]:
    for report in reports:
        found = tuple(_fuzz_finding(report.tool, report.tool, one, source, reproduce) for one in report.failures)
        status = Status.FAILED if found else Status.PASSED if report.cases_run else Status.UNTESTED
        reason = None if report.cases_run else report.skipped
        yield Ruled(report.tool, status, int(bool(report.cases_run)), int(bool(found)), "tool", reason, found)


def _fuzz_finding(rule: str, tool: str, failure: FuzzFailure, source: str, reproduce: ReproduceFuzz) -> Finding:
    unstable = "" if failure.stable else " (not shown again by the same arguments alone)"
    return Finding(
        rule,
        _FLAWS[failure.flaw][0],
        "tool",
        tool,
        f"{failure.flaw.value} with {shown(failure.arguments)}: {failure.evidence}{unstable}",
        Evidence(source, session=failure.session),
        f"/{failure.flaw.value}",
        {
            "arguments": failure.arguments,
            "times": failure.times,
            "stable": failure.stable,
            "reproduce": reproduce(tool, failure),
        },
    )


def shown(arguments: Any, most: int = 200) -> str:
    text = _json(arguments)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def _json(value: Any) -> str:
    try:
        return json.dumps(value)
    except (ValueError, RecursionError):
        return str(value)
