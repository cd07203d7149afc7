"""GitHub's workflow commands: each finding becomes an annotation beside the line that it is about."""

from __future__ import annotations

from collections.abc import Iterator

from mcptest.findings import Finding, Report, Severity, Status
from mcptest.report.layout import rule_tally, subject, tally, with_status
from mcptest.visible import visible

SUFFIXES = ()

_COMMANDS = {
    Severity.CRITICAL: "error",
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
}


def render(report: Report) -> str:
    return "".join(line + "\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    for finding in report.findings:
        yield _annotation(finding)
    for entry in report.stale:
        text = f"the baseline accepts {entry.rule} on {entry.subject}, which is not found any more: remove the entry"
        yield f"::error title=stale baseline entry::{_data(text)}"
    for verdict in with_status(report, Status.CRASHED):
        yield f"::error title=rule {_property(verdict.rule)} crashed::{_data(verdict.reason or '')}"
    for gate in report.gates:
        yield _data(gate.line) if gate.passed else f"::error title={_property(gate.name)}::{_data(gate.text)}"
    yield from (_data(f"note: {note}") for note in report.notes)
    yield f"{visible(report.title)}: {tally(report)}. {rule_tally(report)}."


def _annotation(finding: Finding) -> str:
    evidence = finding.evidence
    fields = [f"file={_property(evidence.source)}"]
    if evidence.line is not None:
        fields += [f"line={evidence.line}", f"col={evidence.column}"]
    fields.append(f"title={_property(f'{finding.rule} {subject(finding)}')}")
    text = f"{subject(finding)}: {finding.message} ({evidence.pointer})"
    return f"::{_COMMANDS[finding.severity]} {','.join(fields)}::{_data(text)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
