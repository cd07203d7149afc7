"""One JSON object per line: each finding, verdict and gate as in the json format, with its `type`, then the summary."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcptest.findings import Report
from mcptest.report.results import finding_to_json, summary, verdict_to_json

SUFFIXES = (".ndjson",)


def render(report: Report) -> str:
    return "".join(json.dumps(line) + "\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[dict[str, Any]]:
    for finding in report.findings:
        yield {"type": "finding", **finding_to_json(finding)}
    for finding in report.accepted:
        yield {"type": "accepted", **finding_to_json(finding)}
    for entry in report.stale:
        yield {"type": "stale", **entry._asdict()}
    for verdict in report.verdicts:
        yield {"type": "verdict", **verdict_to_json(verdict)}
    for gate in report.gates:
        yield {"type": "gate", **gate._asdict()}
    for note in report.notes:
        yield {"type": "note", "text": note}
    yield {"type": "summary", "title": report.title, "exit_code": report.exit_code, **summary(report)}
