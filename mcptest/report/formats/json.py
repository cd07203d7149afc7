"""The whole report for machines; docs/reports.md describes it."""

from __future__ import annotations

import json

from mcptest.findings import Report
from mcptest.report.results import to_json

SUFFIXES = (".json",)


def render(report: Report) -> str:
    return json.dumps(to_json(report), indent=2, ensure_ascii=True) + "\n"
