"""How probes speak: ask, call through the gate, say things that are no messages, and see what comes of it."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from mcptest.live import Client
from mcptest.policy import Gate, classify
from mcptest.probes.answers import Reply, judged
from mcptest.probes.outcomes import Settings, Verdict
from mcptest.probes.subject import Subject
from mcptest.probes.visits import Visits
from mcptest.protocol import methods
from mcptest.transport import Lost


class Seen(NamedTuple):
    """What came of one request, or of a whole probe."""

    verdict: Verdict
    evidence: str
    arguments: Any = None
    duration_ms: float = 0.0
    session: str | None = None


class Talk:
    """One probe's time with a server. `subject` is the tool that it is about, where it is about one."""

    def __init__(self, client: Client, visits: Visits, subject: Subject | None, gate: Gate, settings: Settings) -> None:
        self.client, self.visits, self.subject = client, visits, subject
        self.gate, self.settings = gate, settings

    @property
    def capabilities(self) -> dict[str, Any]:
        return self.client.opening.capabilities

    @property
    def is_http(self) -> bool:
        return self.visits.target.is_http

    async def ask(self, method: str, params: dict[str, Any] | None = None, *, timeout: float | None = None) -> Reply:
        """Any request that calls no tool."""
        return await self.say(self.client.request(method, params), timeout=timeout)

    async def call(self, tool: str, arguments: Any, *, annotations: Any = None) -> Reply:
        """A call of a tool. Refused where the policy does not let it through."""
        params = {"name": tool, "arguments": arguments}
        async with self.gate.call(classify(tool, annotations)):
            return await self.say(self.client.request(methods.CALL_TOOL, params))

    async def say(self, message: dict[str, Any], *, timeout: float | None = None) -> Reply:
        """A whole message with an id; whatever comes of it is data."""
        before, began = len(self.visits.heard), time.perf_counter()
        body: dict[str, Any] | None = None
        lost: Lost | None = None
        try:
            body = (await self.client.peer.ask(message, timeout or self.settings.timeout)).body
        except TimeoutError:
            pass
        except Lost as error:
            lost = error
        return Reply(
            body,
            str(lost) if lost is not None else None,
            lost.status if lost is not None else None,
            (time.perf_counter() - began) * 1000,
            tuple(self.visits.heard[before:]),
            timeout or self.settings.timeout,
        )

    async def utter(self, data: bytes) -> str | None:
        """Send what is no message. Why that failed, None if it did not."""
        try:
            await self.client.peer.connection.send(data, None)
        except Lost as lost:
            return str(lost)
        return None

    def seen(self, reply: Reply, what: str, *, strict: bool = True, arguments: Any = None) -> Seen:
        """The verdict on a bad request: refused is good, and where it is not `strict`, so is any other answer."""
        verdict, evidence = judged(reply, strict=strict)
        return Seen(verdict, f"{what}: {evidence}", arguments, reply.duration_ms, self.visits.session)


def worst(seen: list[Seen]) -> Seen:
    """The one that speaks for all: of equally bad ones the first."""
    order = (Verdict.CRASHED, Verdict.HUNG, Verdict.VIOLATED, Verdict.ACCEPTED, Verdict.PASSED)
    return min(seen, key=lambda one: order.index(one.verdict))
