"""JUnit XML: a rule is a test case, and its findings are its failure; what was not tested is skipped, not passed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from mcptest.findings import Gate, Report, Status, Verdict
from mcptest.report.layout import place, subject
from mcptest.visible import visible

SUFFIXES = (".xml",)
_NUMBER = re.compile(r"-\d+$")


def render(report: Report) -> str:
    cases = [_case(report, verdict) for verdict in report.verdicts]
    cases += [_stale(report)] if report.stale else []
    cases += [_gate(gate) for gate in report.gates]
    kinds = {kind: sum(kind == case[0] for case in cases) for kind in ("failure", "error", "skipped")}
    counts = (
        f'tests="{len(cases)}" failures="{kinds["failure"]}" errors="{kinds["error"]}" skipped="{kinds["skipped"]}"'
    )
    name = _attribute(report.title)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites name={name} {counts}>",
        f"  <testsuite name={name} {counts}>",
        *(line for _, lines in cases for line in lines),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(report: Report, verdict: Verdict) -> tuple[str, list[str]]:
    rule = report.rules.get(verdict.rule)
    name = _attribute(f"{verdict.rule} {rule.summary}" if rule else verdict.rule)
    family = _attribute(_NUMBER.sub("", verdict.rule) if rule else report.title)
    kind, inside = _outcome(report, verdict)
    return kind, [
        f"    <testcase classname={family} name={name}>",
        *(f"      {line}" for line in inside),
        "    </testcase>",
    ]


def _outcome(report: Report, verdict: Verdict) -> tuple[str, list[str]]:
    if verdict.status is Status.CRASHED:
        return "error", [f'<error type="crashed" message={_attribute(verdict.reason or "")}/>']
    if verdict.status in (Status.UNTESTED, Status.INCONCLUSIVE):
        reason = _attribute(f"{verdict.status.value}: {verdict.reason}")
        return "skipped", [f"<skipped message={reason}/>"]
    if not verdict.findings:
        return "passed", []
    text = _text("\n".join(_findings(verdict)))
    if any(finding.severity >= report.fail_on for finding in verdict.findings):
        worst = max(finding.severity for finding in verdict.findings).label
        return "failure", [f'<failure type="{worst}" message={_attribute(verdict.counts)}>{text}</failure>']
    return "passed", [f"<system-out>{text}</system-out>"]


def _findings(verdict: Verdict) -> Iterator[str]:
    for finding in verdict.findings:
        yield f"{finding.severity.label}: {subject(finding)}: {visible(finding.message)} ({place(finding)})"


def _stale(report: Report) -> tuple[str, list[str]]:
    text = _text("\n".join(visible(f"{entry.rule} on {entry.subject} {entry.within or ''}") for entry in report.stale))
    message = _attribute("the baseline accepts findings that are not there any more")
    return "failure", [
        '    <testcase classname="baseline" name="stale entries">',
        f'      <failure type="stale" message={message}>{text}</failure>',
        "    </testcase>",
    ]


def _gate(gate: Gate) -> tuple[str, list[str]]:
    if gate.passed:
        kind, inside = "passed", f"<system-out>{_text(gate.text)}</system-out>"
    else:
        kind, inside = "failure", f'<failure type="gate" message={_attribute(gate.text)}/>'
    return kind, [
        f'    <testcase classname="gate" name={_attribute(gate.name)}>',
        f"      {inside}",
        "    </testcase>",
    ]


def _attribute(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    return escape("\n".join(map(visible, text.split("\n"))))
