"""Run a suite: servers are started once, tests run side by side as the policy allows, serial ones alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from itertools import groupby

from mcptest.errors import TargetError
from mcptest.suites.asking import excerpt
from mcptest.suites.expecting import Expectation, Failure, judge
from mcptest.suites.nouns import Entry, Result, Run, Seen, Status, Suite
from mcptest.suites.world import Setting, Unreachable, World

_ALONE = "the server could not be reached any more"


async def run(
    suite: Suite,
    entries: Sequence[Entry],
    setting: Setting,
    *,
    progress: Callable[[Result], None] = lambda _: None,
) -> Run:
    """Run these entries of a suite. Unreachable if a server that they need cannot be started or reached."""
    began = time.perf_counter()
    async with World(suite, setting) as world:
        running = _Running(world, progress)
        needed = {entry.server for entry in entries if entry.server is not None and entry.skip is None}
        await world.start([name for name in suite.servers if name in needed])
        soon = [entry for entry in entries if not entry.late]
        for serial, group in groupby(soon, key=lambda entry: entry.serial):
            take = running.one_by_one if serial else running.side_by_side
            await take(list(group))
        await world.leave()
        await running.one_by_one([entry for entry in entries if entry.late])
        sessions = world.sessions()
    written = world.snapshots.save() if setting.update_snapshots else []
    results = tuple(running.results[entry.id] for entry in entries)
    return Run(suite, results, time.perf_counter() - began, running.unreachable, sessions, tuple(written))


class _Running:
    def __init__(self, world: World, progress: Callable[[Result], None]) -> None:
        self._world, self._progress = world, progress
        self._slots = asyncio.Semaphore(world.setting.policy.concurrency)
        self.results: dict[str, Result] = {}
        self.unreachable: str | None = None

    async def one_by_one(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            await self._take(entry)

    async def side_by_side(self, entries: Sequence[Entry]) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for entry in entries:
                    await self._slots.acquire()
                    task = group.create_task(self._take(entry))
                    task.add_done_callback(lambda _: self._slots.release())
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None

    async def _take(self, entry: Entry) -> None:
        began = time.perf_counter()
        result = self._hidden(await self._result(entry))
        result = result._replace(seconds=time.perf_counter() - began)
        self.results[entry.id] = result
        self._progress(result)

    def _hidden(self, result: Result) -> Result:
        """The result without the secrets that the suite took from the environment."""
        secrets = self._world.suite.secrets
        if not secrets or result.status is Status.PASSED:
            return result

        def clean(text: str) -> str:
            for secret in secrets:
                text = text.replace(secret, "[hidden]")
            return text

        return result._replace(
            failures=tuple(one._replace(message=clean(one.message)) for one in result.failures),
            details=tuple(map(clean, result.details)),
            reason=result.reason and clean(result.reason),
        )

    async def _result(self, entry: Entry) -> Result:
        if entry.skip is not None:
            return Result(entry, Status.SKIPPED, reason=entry.skip)
        try:
            seen = await entry.job.run(entry, self._world)
        except Unreachable as error:
            self.unreachable = self.unreachable or str(error)
            return _failed(entry, f"{_ALONE}: {error}")
        except TargetError as error:
            return _failed(entry, str(error))
        failures = judge(_seen_of(entry.expect, seen), seen.values, self._world.snapshots)
        if failures:
            details = (*excerpt(seen.values), *seen.details)
            return Result(entry, Status.FAILED, tuple(failures), details, exercised=seen.exercised)
        if seen.nothing is not None:
            return Result(entry, Status.SKIPPED, (), (), seen.nothing, seen.refused, exercised=seen.exercised)
        return Result(entry, Status.PASSED, exercised=seen.exercised)


def _seen_of(expect: Sequence[Expectation], seen: Seen) -> Sequence[Expectation]:
    """Where a part of an entry could not be done, what is expected of it is not judged; the rest is."""
    if seen.nothing is None:
        return expect
    left = {"negative_path", "fuzz"} - set(seen.values)
    return [one for one in expect if one.target.steps[0] not in left] if seen.values else []


def _failed(entry: Entry, why: str) -> Result:
    return Result(entry, Status.FAILED, (Failure("", why, entry.line, entry.column),))
