"""A report as JSON values and back: what `--format json` writes and `mcptest report` reads.

The layout is a promise, described in docs/reports.md. Members may be added within a version; whoever reads it ignores
what it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcptest import __version__
from mcptest.errors import UsageError
from mcptest.findings import FINDING, Evidence, Finding, Gate, Report, RuleInfo, Severity, StaleEntry, Status, Verdict

VERSION = 1
KEY = "mcptest_report"


def to_json(report: Report) -> dict[str, Any]:
    return {
        KEY: VERSION,
        "mcptest": __version__,
        "title": report.title,
        "noun": report.noun,
        "sources": list(report.sources),
        "fail_on": report.fail_on.label,
        "exit_code": report.exit_code,
        "summary": summary(report),
        "findings": [finding_to_json(finding) for finding in report.findings],
        "verdicts": [verdict_to_json(verdict) for verdict in report.verdicts],
        "rules": [_rule_to_json(rule) for rule in report.rules.values()],
        "accepted": [finding_to_json(finding) for finding in report.accepted],
        "stale": [entry._asdict() for entry in report.stale],
        "scores": {source: dict(scores) for source, scores in report.scores.items()},
        "gates": [gate._asdict() for gate in report.gates],
        "notes": list(report.notes),
    }


def summary(report: Report) -> dict[str, int]:
    statuses = [verdict.status for verdict in report.verdicts]
    return {
        "findings": len(report.findings),
        **{severity.label: number for severity, number in report.counts.items()},
        **{status.value: statuses.count(status) for status in Status},
        "accepted": len(report.accepted),
        "stale": len(report.stale),
    }


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """The subject stands under its own kind: `"tool": "search"`."""
    evidence = finding.evidence
    found: dict[str, Any] = {
        "rule": finding.rule,
        "severity": finding.severity.label,
        finding.kind: finding.subject,
        "kind": finding.kind,
        "message": finding.message,
        "pointer": evidence.pointer,
        "within": finding.within,
        "source": evidence.source,
    }
    optional: dict[str, Any] = {
        "line": evidence.line,
        "column": evidence.column,
        "session": evidence.session,
        "frames": list(evidence.frames) or None,
        "excerpt": evidence.excerpt,
        "data": dict(finding.data) or None,
    }
    return found | {key: value for key, value in optional.items() if value is not None}


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    said = {"rule": verdict.rule, "status": verdict.status.value, "checked": verdict.checked, "failed": verdict.failed}
    return said | {"noun": verdict.noun} | ({"reason": verdict.reason} if verdict.reason else {})


def _rule_to_json(rule: RuleInfo) -> dict[str, Any]:
    said = {"id": rule.id, "severity": rule.severity.label, "summary": rule.summary, "help": rule.help}
    return said | ({"url": rule.url} if rule.url else {})


def from_json(document: Any, name: str) -> Report:
    """The report that `to_json` made; UsageError for anything else."""
    if not isinstance(document, Mapping) or not isinstance(document.get(KEY), int):
        raise UsageError(f"{name} is not a report: write one with --format json")
    if document[KEY] > VERSION:
        raise UsageError(
            f"{name} is a report of version {document[KEY]}, this mcptest reads up to {VERSION}: upgrade it"
        )
    try:
        return _read(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"{name} is a damaged report: {type(error).__name__}: {error}") from error


def _read(document: Mapping[str, Any]) -> Report:
    findings: dict[str, list[Finding]] = {}
    for item in document["findings"]:
        findings.setdefault(item["rule"], []).append(_finding(item))
    verdicts = tuple(_verdict(item, findings.pop(item["rule"], [])) for item in document["verdicts"])
    if findings:
        raise ValueError(f"findings of rule {next(iter(findings))!r} have no verdict")
    rules = [_rule(item) for item in document["rules"]]
    return Report(
        str(document["title"]),
        tuple(map(str, document["sources"])),
        verdicts,
        {rule.id: rule for rule in rules},
        tuple(_finding(item) for item in document["accepted"]),
        tuple(StaleEntry(*(entry[field] for field in StaleEntry._fields)) for entry in document["stale"]),
        {
            str(source): {str(name): float(score) for name, score in scores.items()}
            for source, scores in document["scores"].items()
        },
        Severity[document["fail_on"].upper()],
        str(document.get("noun", FINDING)),
        tuple(Gate(str(one["name"]), bool(one["passed"]), str(one["text"])) for one in document.get("gates", ())),
        tuple(map(str, document.get("notes", ()))),
    )


def _finding(item: Mapping[str, Any]) -> Finding:
    evidence = Evidence(
        str(item["source"]),
        str(item["pointer"]),
        item.get("line"),
        item.get("column"),
        item.get("session"),
        tuple(map(int, item.get("frames", ()))),
        item.get("excerpt"),
    )
    kind = str(item["kind"])
    return Finding(
        str(item["rule"]),
        Severity[item["severity"].upper()],
        kind,
        str(item[kind]),
        str(item["message"]),
        evidence,
        str(item["within"]),
        dict(item.get("data", {})),
    )


def _verdict(item: Mapping[str, Any], findings: list[Finding]) -> Verdict:
    return Verdict(
        str(item["rule"]),
        Status(item["status"]),
        int(item["checked"]),
        int(item["failed"]),
        str(item["noun"]),
        item.get("reason"),
        tuple(findings),
    )


def _rule(item: Mapping[str, Any]) -> RuleInfo:
    return RuleInfo(
        str(item["id"]), Severity[item["severity"].upper()], str(item["summary"]), str(item["help"]), item.get("url")
    )
