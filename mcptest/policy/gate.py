"""The gate: the one way to a live server's tools. Whoever calls a tool passes through it, call by call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcptest.policy.budget import CallBudget, Once
from mcptest.policy.classes import Classified, ToolClass
from mcptest.policy.decisions import Context, Decision, Policy
from mcptest.policy.refusals import Reason, Refused


class Gate:
    """One run's calls under one policy. `http`: whether the target is spoken to over HTTP, where calls are paced."""

    def __init__(self, policy: Policy, *, http: bool = False) -> None:
        self.policy = policy
        self.budget = CallBudget(policy.max_calls)
        self._once = Once()
        self._slots = asyncio.Semaphore(policy.concurrency)
        self._delay = policy.call_delay if http else 0.0
        self._turn = asyncio.Lock()
        self._last = -1e9  # when a call last began or ended

    @asynccontextmanager
    async def call(
        self, tool: Classified, context: Context = Context.NEEDS_LIVE_CALL, *, again: bool = False
    ) -> AsyncIterator[None]:
        """Make the call inside of this; Refused where it must not be made. `again` marks the next leg of a call that
        was let through before (a server asked for input in between): it spends budget, and is no second call."""
        self._decide(tool, context, again=again)
        async with self._slots:
            await self._pause()
            try:
                yield
            finally:
                self._last = time.monotonic()

    def _decide(self, tool: Classified, context: Context, *, again: bool) -> None:
        decision = self.policy.decide(tool.tool_class, context)
        if decision in (Decision.REFUSE, Decision.GENERATE_ONLY):
            text = f"{tool.tool!r} is destructive ({tool.reason}): --execute-destructive lets it be called, once"
            raise Refused(tool.tool, Reason.DESTRUCTIVE, text)
        once = decision is Decision.EXECUTE_ONCE and not again
        if self.policy.repeat_mutating and tool.tool_class is ToolClass.MUTATING:
            once = False
        if once and not self._once.claim(tool.tool):
            text = f"{tool.tool!r} is {tool.tool_class.lower()} ({tool.reason}) and was called in this run already"
            raise Refused(tool.tool, Reason.ONCE, text)
        try:
            self.budget.acquire(tool.tool)
        except Refused:
            if once:
                self._once.release(tool.tool)
            raise

    async def _pause(self) -> None:
        if not self._delay:
            return
        async with self._turn:
            while (wait := self._last + self._delay - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self._last = time.monotonic()
