from __future__ import annotations

import json

import pytest

from mcptest.probes import (
    Flaw,
    FuzzFailure,
    FuzzReport,
    ProbeReport,
    Result,
    Verdict,
    exit_code,
    fuzz_report,
    probe_report,
)
from mcptest.report import format_names, from_json, render, to_json

TYPE = "FAULT-SCHEMA-TYPE-MISMATCH"
PROBES = [
    ProbeReport(None, (Result("unknown_tool", "FAULT-PROTO-UNKNOWN-METHOD", None, Verdict.PASSED, "refused"),)),
    ProbeReport(
        "search",
        (
            Result("wrong_type", TYPE, "search", Verdict.CRASHED, "it died", 3.0, "0123abcd", {"query": 1}, None, 1),
            Result("extra_field", "FAULT-SCHEMA-UNEXPECTED-FIELD", "search", Verdict.SKIPPED, "allowed"),
        ),
    ),
]
FUZZING = [
    FuzzReport("search", 7, 100, (FuzzFailure(Flaw.LEAK, {"query": "\x1b"}, "a traceback", None, 3),)),
    FuzzReport("erase", 7, skipped="it is destructive"),
]


def again(*_: object) -> str:
    return "mcptest again"


@pytest.mark.parametrize("format", format_names())
@pytest.mark.parametrize("by_case", [True, False])
def test_every_format_shows_what_failed_and_how_to_see_it_again(format, by_case):
    probes = render(probe_report(PROBES, "python server.py", again, by_case=by_case), format)
    fuzzing = render(fuzz_report(FUZZING, "python server.py", again, by_case=by_case), format)
    assert "it died" in probes
    assert "a traceback" in fuzzing
    assert "\x1b" not in fuzzing


def test_a_report_says_what_machines_need():
    report = probe_report(PROBES, "python server.py", again)
    assert from_json(json.loads(json.dumps(to_json(report))), "report").findings == report.findings
    (finding,) = report.findings
    assert finding.data == {
        "verdict": "crashed",
        "taxonomy": TYPE,
        "duration_ms": 3.0,
        "reproduce": "mcptest again",
        "arguments": {"query": 1},
    }
    assert finding.evidence.session == "0123abcd"
    assert {verdict.rule: verdict.status.value for verdict in report.verdicts} == {
        "unknown_tool": "passed",
        "wrong_type": "failed",
        "extra_field": "untested",
    }


def test_failures_gate_and_nothing_to_call_is_a_refusal():
    assert exit_code(PROBES) == 1
    assert exit_code(PROBES[:1]) == 0
    assert exit_code([ProbeReport("x", (Result("oversized", "F", "x", Verdict.REFUSED, "no"),))]) == 5
    assert exit_code(FUZZING) == 1
    assert (FUZZING[0].leaks, FUZZING[0].gate_passed, FUZZING[1].gate_passed) == (3, 0, 1)
    assert PROBES[1].targets == {
        "negative_path.checks_run": 1,
        "negative_path.failures": 1,
        "negative_path.gate_passed": 0,
    }
