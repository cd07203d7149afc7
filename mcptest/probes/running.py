"""Probe or fuzz all tools of a server: some at a time, each worker with a server process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

from mcptest.errors import UsageError
from mcptest.policy import Gate
from mcptest.probes.check import Check, Scope
from mcptest.probes.fuzzing import FuzzSettings, fuzz_tool
from mcptest.probes.outcomes import FuzzReport, ProbeReport, Settings
from mcptest.probes.probing import probe_server, probe_tool
from mcptest.probes.visits import Visits

Tool = Mapping[str, Any]
Bases = Mapping[str, Mapping[str, Any]]
Job = TypeVar("Job")
Done = TypeVar("Done")


class Planned(NamedTuple):
    """What there is to do, told before it begins: `steps` counts probes, or cases."""

    tools: tuple[str, ...]
    steps: int


Begin = Callable[[Planned], Callable[[], None]]


def _nobody(_: Planned) -> Callable[[], None]:
    return lambda: None


class Probed(NamedTuple):
    """`reports` begins with the server's own, where it has one; `sessions` are the recordings of all that was said."""

    reports: tuple[ProbeReport, ...]
    sessions: tuple[str, ...]


class Fuzzed(NamedTuple):
    reports: tuple[FuzzReport, ...]
    sessions: tuple[str, ...]


async def probe_all(
    visits: Visits,
    bases: Bases,
    checks: Sequence[Check],
    settings: Settings,
    gate: Gate,
    *,
    only: Sequence[str] = (),
    begin: Begin = _nobody,
) -> Probed:
    """Probe the tools that the server lists, or `only` some of them; probes that need no tool are done once.
    TargetError if the server cannot be met."""
    tools = await _chosen(visits, only)
    general = [check for check in checks if check.scope is Scope.SERVER]
    special = [check for check in checks if check.scope is Scope.TOOL]
    step = begin(Planned(tuple(map(_name, tools)), len(general) + len(special) * len(tools)))

    async def work(mine: Visits, tool: Tool | None) -> ProbeReport:
        if tool is None:
            return await probe_server(mine, general, settings, gate, progress=lambda _: step())
        base = bases.get(_name(tool))
        return await probe_tool(mine, tool, base, special, settings, gate, progress=lambda _: step())

    jobs: list[Tool | None] = [*([None] if general else []), *(tools if special else [])]
    reports, sessions = await _share(visits, jobs, work, gate.policy.concurrency)
    return Probed(tuple(reports), sessions)


async def fuzz_all(
    visits: Visits,
    bases: Bases,
    settings: FuzzSettings,
    gate: Gate,
    *,
    only: Sequence[str] = (),
    arguments: Mapping[str, Any] | None = None,
    begin: Begin = _nobody,
) -> Fuzzed:
    """The same for fuzzing. `arguments` are tried in the place of made ones."""
    tools = await _chosen(visits, only)
    step = begin(Planned(tuple(map(_name, tools)), settings.cases * len(tools)))

    async def work(mine: Visits, tool: Tool) -> FuzzReport:
        base = bases.get(_name(tool))
        return await fuzz_tool(mine, tool, base, settings, gate, progress=lambda _: step(), only=arguments)

    reports, sessions = await _share(visits, tools, work, gate.policy.concurrency)
    return Fuzzed(tuple(reports), sessions)


async def _chosen(visits: Visits, only: Sequence[str]) -> list[Tool]:
    listed = [tool for tool in await (await visits.client()).tools() if isinstance(tool.get("name"), str)]
    names = [_name(tool) for tool in listed]
    for name in only:
        if name not in names:
            near = get_close_matches(name, names, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"it lists {', '.join(names[:10]) or 'none'}"
            raise UsageError(f"the server lists no tool {name!r}: {hint}")
    return [tool for tool in listed if not only or _name(tool) in only]


async def _share(
    visits: Visits, jobs: Sequence[Job], work: Callable[[Visits, Job], Awaitable[Done]], workers: int
) -> tuple[list[Done], tuple[str, ...]]:
    """All jobs in their order, done by so many workers; the first goes on with the visits that are there."""
    waiting = list(enumerate(jobs))[::-1]
    done: dict[int, Done] = {}
    all_visits = [visits, *(visits.another() for _ in range(min(workers, len(jobs)) - 1))]

    async def run(mine: Visits) -> None:
        async with mine:
            while waiting:
                number, job = waiting.pop()
                done[number] = await work(mine, job)

    try:
        async with asyncio.TaskGroup() as group:
            for mine in all_visits:
                group.create_task(run(mine))
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    sessions = tuple(session for mine in all_visits for session in mine.sessions)
    return [done[number] for number in sorted(done)], sessions


def _name(tool: Tool) -> str:
    return str(tool["name"])
