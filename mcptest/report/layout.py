"""What the formats for people share: labels, places, groups and the sentence at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mcptest.findings import CHANGE, Finding, Report, Severity, Status, Verdict
from mcptest.visible import visible


def label(finding: Finding) -> str:
    """What a finding is called in front of its message: a change's class, else the severity."""
    return str(finding.data.get("class") or finding.severity.label)


def subject(finding: Finding) -> str:
    """`tool search`."""
    return f"{finding.kind} {visible(finding.subject)}"


def place(finding: Finding) -> str:
    """`tools.json:12:5`, or the frames of a session."""
    evidence = finding.evidence
    name = visible(evidence.source)
    if evidence.line is not None:
        return f"{name}:{evidence.line}:{evidence.column}"
    return f"{name} frame {', '.join(map(str, evidence.frames))}" if evidence.frames else name


def is_change(report: Report) -> bool:
    """Is this a report on changes, rather than on what is?"""
    return report.noun == CHANGE


def by_subject(findings: Iterable[Finding]) -> list[tuple[str, str, list[Finding]]]:
    """Findings by source and subject in the order of the sources, the gravest first: (source, subject, findings)."""
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.evidence.source, finding.kind, finding.subject), []).append(finding)
    ordered = sorted(groups.items(), key=lambda group: (group[0][0], _position(group[1])))
    return [(source, subject(found[0]), gravest_first(found)) for (source, _, _), found in ordered]


def _position(findings: Sequence[Finding]) -> tuple[int, str]:
    return min((finding.evidence.line or 0, finding.evidence.pointer) for finding in findings)


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(
        findings, key=lambda finding: (-finding.severity, finding.rule, finding.evidence.line or 0, finding.within)
    )


def with_status(report: Report, *statuses: Status) -> list[Verdict]:
    return [verdict for verdict in report.verdicts if verdict.status in statuses]


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def tally(report: Report) -> str:
    """`7 findings: 1 critical, 2 errors, 4 warnings`."""
    found = len(report.findings)
    if not found:
        return f"no {report.noun}s"
    if is_change(report):
        classes: dict[str, int] = {}
        for finding in report.findings:
            classes[label(finding)] = classes.get(label(finding), 0) + 1
        return count(found, "change") + ": " + ", ".join(f"{number} {name}" for name, number in classes.items())
    names = {Severity.CRITICAL: "critical", Severity.INFO: "info"}
    parts = [
        f"{number} {names[severity]}" if severity in names else count(number, severity.label)
        for severity, number in report.counts.items()
        if number
    ]
    return count(found, "finding") + ": " + ", ".join(parts)


def rule_tally(report: Report) -> str:
    """`33 rules: 20 passed, 12 failed, 1 untested`."""
    parts = [f"{len(found)} {status.value}" for status in Status if (found := with_status(report, status))]
    return ": ".join([count(len(report.verdicts), "rule"), *([", ".join(parts)] if parts else [])])


_CLASSES = {Severity.ERROR: "breaking", Severity.WARNING: "risky or breaking", Severity.INFO: "any change"}


def limit(report: Report) -> str:
    """From where on a finding fails the run, in the report's own words."""
    if is_change(report):
        return _CLASSES.get(report.fail_on, report.fail_on.label)
    return f"{report.fail_on.label} or worse"
