"""How probing treats a server: the gate at every call, a new process after a crash, everything recorded."""

from __future__ import annotations

import asyncio

import pytest

from mcptest.capture import Capture, locate
from mcptest.errors import TargetError, UsageError
from mcptest.live import Keeping
from mcptest.policy import Gate, Policy, Reason
from mcptest.probes import Settings, Verdict, Visits, known, probe_all
from mcptest.transport import target

from .conftest import fuzzed, probed, stdio

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
MUTATING = {"name": "search", "inputSchema": SCHEMA, "annotations": {"idempotentHint": False}}
DESTRUCTIVE = {"name": "search", "inputSchema": SCHEMA, "annotations": {"destructiveHint": True}}
THREE = ("unknown_tool", "missing_required", "wrong_type")


def test_a_mutating_tool_is_called_once():
    report = probed(stdio("defective.py"), *THREE, tool=MUTATING)
    assert [result.verdict for result in report.results] == [Verdict.PASSED, Verdict.PASSED, Verdict.REFUSED]
    assert report.results[2].refused is Reason.ONCE
    assert (report.checks_run, report.failures, report.gate_passed) == (2, 0, 1)


def test_a_destructive_tool_is_not_called_unless_that_is_asked_for():
    report = probed(stdio("defective.py"), *THREE, tool=DESTRUCTIVE)
    assert [result.refused for result in report.results] == [None, Reason.DESTRUCTIVE, Reason.DESTRUCTIVE]
    report = probed(stdio("defective.py"), *THREE, tool=DESTRUCTIVE, policy=Policy(execute_destructive=True))
    assert [result.refused for result in report.results] == [None, None, Reason.ONCE]


def test_the_budget_holds_for_unknown_tools_too():
    report = probed(stdio("defective.py"), *THREE, policy=Policy(max_calls=2))
    assert [result.refused for result in report.results] == [None, None, Reason.BUDGET]


def test_a_probe_stops_at_the_budget_with_what_it_saw():
    report = probed(stdio("defective.py"), "wrong_type", policy=Policy(max_calls=2), base={"query": "x"})
    assert [(result.verdict, result.cases) for result in report.results] == [(Verdict.PASSED, 2)]


def test_after_a_crash_the_next_probe_meets_a_new_server(tmp_path):
    keeping = Keeping(locate(tmp_path / "c.duckdb"))
    where = stdio("defective.py", "crashes_on_wrong_type")
    report = probed(where, "missing_required", "wrong_type", "extra_field", keeping=keeping)
    assert [result.verdict for result in report.results] == [Verdict.PASSED, Verdict.CRASHED, Verdict.PASSED]
    first, second, third = (result.session for result in report.results)
    assert first == second != third
    assert "out of cheese" in report.results[1].evidence
    with Capture.open(keeping.place) as capture:
        assert {one.id for one in capture.sessions()} == {first, third}


def test_a_server_that_cannot_start_is_the_users_to_mend():
    with pytest.raises(TargetError, match="cannot start"):
        probed(target.command(["/no/such/program"]), "unknown_tool", tool=MUTATING)


def test_all_tools_are_probed_and_the_server_once():
    async def run(only=()):
        async with Visits(stdio("defective.py")) as visits:
            gate = Gate(Policy(concurrency=3))
            return await probe_all(visits, {}, known(None), Settings(20.0), gate, only=only)

    probed_all = asyncio.run(run())
    assert [report.tool for report in probed_all.reports] == [None, "search"]
    assert [report.checks_run for report in probed_all.reports] == [1, 4]
    with pytest.raises(UsageError, match="did you mean 'search'"):
        asyncio.run(run(only=("serch",)))


def test_only_what_reads_is_fuzzed():
    report = fuzzed(stdio("defective.py"), tool=MUTATING)
    assert (report.cases_run, report.refused, report.gate_passed) == (0, Reason.ONCE, 1)
    assert fuzzed(stdio("defective.py"), tool=DESTRUCTIVE).refused is Reason.DESTRUCTIVE


def test_fuzzing_ends_at_the_budget():
    report = fuzzed(stdio("defective.py"), policy=Policy(max_calls=5))
    assert (report.cases_run, report.refused) == (5, Reason.BUDGET)
    assert "ended after 5 of" in (report.skipped or "")


def test_the_same_seed_gives_the_same_failures():
    once, again = (fuzzed(stdio("defective.py", "crashes_on_nul")) for _ in range(2))
    assert once == again
    assert [failure.arguments for failure in once.failures] == [{"query": "\0"}]
    assert once.targets["fuzz.crashes"] == once.crashes >= 1
