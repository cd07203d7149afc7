"""SARIF 2.1.0, as code scanning reads it: rules with help, results with places, accepted ones as suppressed."""

from __future__ import annotations

import hashlib
import json
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from mcptest import __version__
from mcptest.findings import Finding, Gate, Report, RuleInfo, Severity, Status, Verdict
from mcptest.report.layout import subject, with_status

SUFFIXES = (".sarif",)
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVELS = {Severity.CRITICAL: "error", Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
# Code scanning orders security results by this score.
_SCORES = {Severity.CRITICAL: "9.5", Severity.ERROR: "7.5", Severity.WARNING: "5.0", Severity.INFO: "2.0"}


def render(report: Report) -> str:
    rules = {rule.id: number for number, rule in enumerate(report.rules.values())}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "mcptest",
                "semanticVersion": __version__,
                "version": __version__,
                "rules": [_rule(rule) for rule in report.rules.values()],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not with_status(report, Status.CRASHED),
                "exitCode": report.exit_code,
                "toolExecutionNotifications": [
                    *(_notice(verdict, rules) for verdict in _notable(report)),
                    *(_gate(gate) for gate in report.gates),
                    *({"level": "note", "message": {"text": note}} for note in report.notes),
                ],
            }
        ],
        "results": [
            *(_result(finding, rules) for finding in report.findings),
            *(_result(finding, rules, accepted=True) for finding in report.accepted),
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: RuleInfo) -> dict[str, Any]:
    text = f"{rule.summary}\n\n{rule.help}".strip()
    family = rule.id.rpartition("-")[0]
    properties: dict[str, Any] = {"tags": ["mcp", *([family.lower()] if family else [])]}
    if family == "SEC":
        properties["tags"].append("security")
        properties["security-severity"] = _SCORES[rule.severity]
    described = {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": text},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": properties,
    }
    return described | ({"helpUri": rule.url} if rule.url else {})


def _result(finding: Finding, rules: dict[str, int], *, accepted: bool = False) -> dict[str, Any]:
    evidence = finding.evidence
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{subject(finding)}: {finding.message}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(evidence.source)},
                    "region": {"startLine": evidence.line or 1, "startColumn": evidence.column or 1},
                },
                "logicalLocations": [{"fullyQualifiedName": evidence.pointer or "/", "kind": finding.kind}],
            }
        ],
        "partialFingerprints": {"mcptest/v1": _fingerprint(finding)},
        "properties": {
            "severity": finding.severity.label,
            finding.kind: finding.subject,
            "pointer": evidence.pointer,
            **({"session": evidence.session} if evidence.session else {}),
            **({"frames": list(evidence.frames)} if evidence.frames else {}),
            **finding.data,
        },
    }
    if finding.rule in rules:
        result["ruleIndex"] = rules[finding.rule]
    if accepted:
        reason = str(finding.data.get("reason", "accepted by the baseline"))
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": reason}]
    return result


def _notable(report: Report) -> list[Verdict]:
    return with_status(report, Status.CRASHED, Status.INCONCLUSIVE)


def _notice(verdict: Verdict, rules: dict[str, int]) -> dict[str, Any]:
    crashed = verdict.status is Status.CRASHED
    notice: dict[str, Any] = {
        "level": "error" if crashed else "note",
        "message": {"text": f"rule {verdict.rule} is {verdict.status.value}: {verdict.reason}"},
    }
    if verdict.rule in rules:
        notice["associatedRule"] = {"id": verdict.rule, "index": rules[verdict.rule]}
    return notice


def _gate(gate: Gate) -> dict[str, Any]:
    return {"level": "note" if gate.passed else "error", "message": {"text": gate.line}}


def _fingerprint(finding: Finding) -> str:
    key = "\x00".join((*finding.key, finding.message))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _uri(source: str) -> str:
    """Relative paths stay relative, so that the platform finds them in the repository."""
    path = PurePath(source)
    if path.is_absolute():
        return "file://" + quote(path.as_posix(), errors="surrogateescape")
    return quote(source, errors="surrogateescape")
