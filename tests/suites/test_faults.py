from __future__ import annotations

from fnmatch import fnmatchcase

from mcptest.probes import CHECKS
from mcptest.suites import coverage, fault_lines
from mcptest.suites.faults import CLASSES
from tests.suites.made import STRICT, run

WORDS = {"call", "compliance", "fuzz", "lint", "prompt", "replay", "resource"}


def test_every_probe_counts_for_some_class():
    for check in CHECKS.values():
        assert any(fnmatchcase(check.taxonomy, way) for one in CLASSES for way in one.ways), check.name


def test_every_way_to_exercise_a_class_is_there():
    known = {check.taxonomy for check in CHECKS.values()} | WORDS
    for one in CLASSES:
        assert bool(one.ways) is not bool(one.beyond)
        for way in one.ways:
            assert any(fnmatchcase(name, way) for name in known), way


def test_a_run_tells_what_it_exercised(tmp_path):
    text = (
        STRICT
        + "tools: [{tool: search, args: {query: x}, negative_path: {checks: [wrong_type]}}]\nprompts: [{prompt: sum, args: {topic: x}}]"
    )
    done = run(text, tmp_path)
    covered = {one.fault.name: one.by for one in coverage(done.results)}
    assert covered["Parameter of the wrong type"] == ("FAULT-SCHEMA-TYPE-MISMATCH",)
    assert covered["Prompt"] == ("prompt",)
    assert covered["Security"] == ()
    lines = list(fault_lines(done.results))
    assert lines[0] == "fault classes exercised: 4 of 14 that a suite can reach"
    assert len(lines) == 1 + len(CLASSES)
