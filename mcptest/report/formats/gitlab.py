"""GitLab's code quality report: an array that merge requests show beside the changed lines."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from mcptest.findings import Finding, Report, Severity
from mcptest.report.layout import subject
from mcptest.visible import visible

SUFFIXES = ()

_SEVERITIES = {
    Severity.CRITICAL: "critical",
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFO: "info",
}


def render(report: Report) -> str:
    seen: dict[str, int] = {}
    issues = []
    for finding in report.findings:
        key = "\x00".join((*finding.key, finding.evidence.source, finding.message))
        seen[key] = seen.get(key, 0) + 1
        issues.append(_issue(finding, f"{key}\x00{seen[key]}"))
    return json.dumps(issues, indent=2) + "\n"


def _issue(finding: Finding, key: str) -> dict[str, Any]:
    return {
        "description": visible(f"{subject(finding)}: {finding.message}"),
        "check_name": finding.rule,
        "fingerprint": hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": finding.evidence.source,
            "lines": {"begin": finding.evidence.line or 1},
        },
    }
