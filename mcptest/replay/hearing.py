"""What a live server says of its own accord, and how long to wait for what it had said in the recording."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable

from mcptest.replay.outcomes import Heard
from mcptest.replay.plan import Step

_EXPECTED = 1.0  # seconds for a message of the server's own to come that had come in the recording,
_LATEST = 5.0  # or twice the time that it took there, up to this

_Kind = tuple[str, str]  # request or notification, and its method


class Hearing:
    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.deaf = False  # while something is asked a second time
        self._counts: Counter[_Kind] = Counter()
        self._expected: Counter[_Kind] = Counter()
        self._given_up: set[_Kind] = set()
        self._news = asyncio.Event()

    def hear(self, heard: Heard) -> None:
        if not self.deaf:
            self.heard.append(heard)
            self._counts[heard.kind, heard.method] += 1
            self._news.set()

    async def out(self, steps: Iterable[Step], is_over: Callable[[], bool]) -> None:
        """Wait until the server has said what it had said in the recording by the end of these steps, within reason:
        what did not come once in time is not waited for again."""
        due = 0
        for turn in (step.turn for step in steps):
            for said in (*turn.during, *turn.after):
                self._expected[said.kind, said.method] += 1
                due = max(due, said.mono - turn.mono)
        deadline = time.monotonic() + min(max(_EXPECTED, 2 * due / 1e9), _LATEST)
        while (missing := self._missing()) and not is_over():
            self._news.clear()
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    await self._news.wait()
            except TimeoutError:
                self._given_up |= missing
                return

    def _missing(self) -> set[_Kind]:
        return {kind for kind, count in self._expected.items() if self._counts[kind] < count} - self._given_up
