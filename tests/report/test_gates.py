"""Gates and notes stand in every format that has a place for them, and survive being read back."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from mcptest.findings import Gate, Report, Severity, Status, Verdict
from mcptest.report import from_json, render, to_json

NASTY = "\x1b[2J<i id=x>|::error::"
HELD, SHUT = Gate("spec", True, "all the same"), Gate("grade", False, "B, not A")
VERDICTS = (Verdict("X-002", Status.PASSED, 12, 0, "tools"),)


def report(*gates, notes=("a.jsonl: observed v2025-11-25",), **more):
    return Report("t", ("a.jsonl",), VERDICTS, gates=gates, notes=notes, **more)


def test_a_gate_that_does_not_hold_fails_the_run_whatever_fails_otherwise():
    assert report(HELD).exit_code == 0
    assert report(HELD, SHUT, fail_on=Severity.CRITICAL).exit_code == 1


def test_a_rule_that_crashed_is_still_told_apart():
    crashed = Verdict("X-001", Status.CRASHED, reason="oops")
    assert report(SHUT)._replace(verdicts=(crashed,)).exit_code == 4


@pytest.mark.parametrize("format", ["text", "markdown", "html", "junit", "github", "ndjson", "sarif", "json"])
def test_what_a_gate_says_is_in_the_report(format):
    text = render(report(HELD, SHUT), format)
    assert "B, not A" in text
    assert "all the same" in text


@pytest.mark.parametrize("format", ["text", "markdown", "html", "github", "junit"])
def test_a_gates_text_is_no_markup_and_no_command(format):
    text = render(report(Gate("spec", True, NASTY), Gate("grade", False, NASTY), notes=(NASTY,)), format)
    assert "\x1b" not in text
    assert "<i id" not in text or format in ("text", "github")
    assert not any(line.startswith("::error::") for line in text.splitlines())


def test_a_note_is_shown_above_the_sum_and_a_gate_is_the_last_line():
    assert render(report(HELD, SHUT), "text").splitlines()[-4:] == [
        "a.jsonl: observed v2025-11-25",
        "no findings (1 rule: 1 passed)",
        "PASS spec: all the same",
        "FAIL grade: B, not A",
    ]


def test_a_gate_is_counted_in_junit():
    root = ElementTree.fromstring(render(report(HELD, SHUT), "junit"))
    assert (root.get("tests"), root.get("failures")) == ("3", "1")


def test_gates_and_notes_are_read_back():
    said = report(HELD, SHUT)
    assert from_json(json.loads(json.dumps(to_json(said))), "r.json") == said


def test_a_report_of_before_has_none():
    document = to_json(report(HELD))
    del document["gates"], document["notes"]
    assert from_json(document, "r.json") == report(notes=())
