"""The gate and the budget under concurrency."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from mcptest.errors import EXIT_REFUSED
from mcptest.policy import BudgetExhausted, CallBudget, Context, Gate, Policy, Reason, Refused, classify

LOOK, CREATE, DELETE = classify("look"), classify("create_note"), classify("delete_note")


class Server:
    """Counts what reaches it, and how much of that at once."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.at_once = self.most_at_once = 0

    async def call(self, name: str) -> None:
        self.calls.append(name)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1


async def crowd(gate: Gate, server: Server, tools: list) -> list[Refused]:
    """64 tasks at once, each with one call."""
    refused: list[Refused] = []

    async def one(tool) -> None:
        try:
            async with gate.call(tool):
                await server.call(tool.tool)
        except Refused as refusal:
            refused.append(refusal)

    await asyncio.gather(*(one(tools[number % len(tools)]) for number in range(64)))
    return refused


@pytest.mark.parametrize("limit", [0, 1, 7, 63])
def test_exactly_max_calls_reach_the_server_from_64_tasks(limit):
    server = Server()
    refused = asyncio.run(crowd(Gate(Policy(max_calls=limit)), server, [LOOK]))
    assert len(server.calls) == limit
    assert len(refused) == 64 - limit
    assert all(isinstance(refusal, BudgetExhausted) and refusal.limit == limit for refusal in refused)


@pytest.mark.parametrize("limit", [1, 50, 999])
def test_exactly_the_limit_is_acquired_by_threads(limit):
    budget = CallBudget(limit)

    def spend(_: int) -> bool:
        try:
            budget.acquire()
        except BudgetExhausted:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(spend, range(2000))) == limit


def test_a_mutating_tool_is_called_once_and_a_destructive_one_never():
    server = Server()
    refused = asyncio.run(crowd(Gate(Policy()), server, [CREATE, DELETE]))
    assert server.calls == ["create_note"]
    assert {refusal.reason for refusal in refused} == {Reason.ONCE, Reason.DESTRUCTIVE}


def test_with_the_override_a_destructive_tool_is_called_once():
    server = Server()
    refused = asyncio.run(crowd(Gate(Policy(execute_destructive=True, repeat_mutating=True)), server, [DELETE]))
    assert server.calls == ["delete_note"]
    assert {refusal.reason for refusal in refused} == {Reason.ONCE}


def test_no_more_calls_than_the_concurrency_allows_are_in_flight():
    server = Server()
    asyncio.run(crowd(Gate(Policy(concurrency=3)), server, [LOOK]))
    assert len(server.calls) == 64
    assert server.most_at_once == 3


def test_a_call_that_the_budget_stopped_does_not_count_as_made():
    async def scene() -> None:
        gate = Gate(Policy(max_calls=0))
        for _ in range(2):
            with pytest.raises(BudgetExhausted):
                async with gate.call(CREATE):
                    raise AssertionError("called")

    asyncio.run(scene())


def test_the_next_leg_of_a_call_is_no_second_call_but_spends_budget():
    async def scene() -> None:
        gate = Gate(Policy(max_calls=2))
        async with gate.call(CREATE):
            pass
        async with gate.call(CREATE, again=True):
            pass
        with pytest.raises(BudgetExhausted):
            async with gate.call(CREATE, again=True):
                pass

    asyncio.run(scene())


def test_a_caller_that_can_write_a_test_instead_is_refused_the_call_too():
    async def scene() -> None:
        with pytest.raises(Refused, match="--execute-destructive") as refusal:
            async with Gate(Policy()).call(DELETE, Context.CAN_EMIT_TEST):
                raise AssertionError("called")
        assert refusal.value.exit_code == EXIT_REFUSED

    asyncio.run(scene())


@pytest.mark.parametrize(("http", "pauses"), [(True, 3), (False, 0)])
def test_consecutive_calls_are_paced_over_http_only(http, pauses):
    async def scene() -> float:
        gate = Gate(Policy(call_delay=0.02), http=http)
        began = time.monotonic()
        for _ in range(4):
            async with gate.call(LOOK):
                pass
        return time.monotonic() - began

    assert asyncio.run(scene()) >= pauses * 0.02
