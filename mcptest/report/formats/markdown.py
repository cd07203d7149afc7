"""Markdown, for pull request comments and job summaries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptest.findings import Finding, Report, Severity, Status
from mcptest.report.layout import (
    by_subject,
    count,
    gravest_first,
    is_change,
    label,
    place,
    rule_tally,
    subject,
    tally,
    with_status,
)
from mcptest.visible import visible

SUFFIXES = (".md",)

_SIGNS = {Severity.CRITICAL: "🟣", Severity.ERROR: "🔴", Severity.WARNING: "🟡", Severity.INFO: "🔵"}
_PUNCTUATION = re.compile(r"([\\`*_{}\[\]()#+!|~>-])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", "@": "&#64;"}


def render(report: Report) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    sign = "❌" if report.exit_code else "✅"
    yield f"## {sign} {_safe(report.title)}"
    yield ""
    yield tally(report) + ("." if is_change(report) else f"; {rule_tally(report)}.")
    yield ""
    for gate in report.gates:
        yield f"- {'✅' if gate.passed else '❌'} {_safe(gate.line)}"
    for note in report.notes:
        yield f"- {_safe(note)}"
    if report.gates or report.notes:
        yield ""
    if is_change(report):
        yield from _table(gravest_first(report.findings), subjects=True)
    else:
        for source, who, found in by_subject(report.findings):
            where = f" in {_safe(source)}" if len(report.sources) > 1 else ""
            yield f"### {_safe(who)}{where}"
            yield ""
            yield from _table(found)
    for entry in report.stale:
        yield f"- ❌ stale baseline entry: {_safe(entry.rule)} on {_safe(entry.subject)} {_safe(entry.within or '')}"
    for verdict in with_status(report, Status.CRASHED, Status.INCONCLUSIVE, Status.UNTESTED):
        yield f"- {_safe(verdict.rule)} {verdict.status.value}: {_safe(verdict.reason or '')}"
    if report.accepted:
        yield f"- {count(len(report.accepted), 'finding')} accepted by the baseline"


def _table(findings: list[Finding], *, subjects: bool = False) -> Iterator[str]:
    if not findings:
        return
    yield "| | rule | finding | where |" if not subjects else "| | kind | change | where |"
    yield "|---|---|---|---|"
    for finding in findings:
        message = f"{subject(finding)}: {finding.message}" if subjects else finding.message
        sign = f"{_SIGNS[finding.severity]} {label(finding)}"
        where = f"{place(finding)} {finding.within}".rstrip()
        yield f"| {sign} | {_safe(finding.rule)} | {_safe(message)} | {_safe(where)} |"
    yield ""


def _safe(text: str) -> str:
    """Text as it is: no markup, no mention, no link, no cell of its own."""
    text = "".join(_ENTITIES.get(character, character) for character in visible(text))
    return _PUNCTUATION.sub(r"\\\1", text).replace("://", "&#58;//").replace("www.", "www&#46;")
