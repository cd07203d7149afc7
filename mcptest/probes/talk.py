"""How probes speak: ask, call through the gate, say things that are no messages, and see what comes of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import orjson

from mcptest.live import Client
from mcptest.policy import Decision, Gate, classify
from mcptest.probes.answers import Reply, judged
from mcptest.probes.outcomes import Settings, Verdict
from mcptest.probes.subject import Subject
from mcptest.probes.visits import Heard, Visits
from mcptest.protocol import methods
from mcptest.transport import Lost
from mcptest.wire.sse import Events, parse_event

QUIET = 2.0  # seconds of silence after which a message that need not be answered counts as dropped


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
            # A server that does not read can keep us from sending, so that is timed too.
            async with asyncio.timeout(timeout or self.settings.timeout):
                body = (await self.client.peer.ask(message)).body
        except TimeoutError:
            self.client.peer.forget(message["id"])
        except Lost as error:
            lost = error
        return Reply(
            body,
            str(lost) if lost is not None else None,
            lost.status if lost is not None else None,
            (time.perf_counter() - began) * 1000,
            tuple(one for one in self.visits.heard[before:] if not _is_late(one, message["id"])),
            timeout or self.settings.timeout,
        )

    async def utter(self, data: bytes, message: dict[str, Any] | None = None) -> str | None:
        """Send what nobody waits for an answer to: what is no message, or `message` beside others. Why that failed,
        None if it did not."""
        try:
            async with asyncio.timeout(self.settings.timeout):
                await self.client.peer.connection.send(data, message)
        except TimeoutError:
            return None  # it is not read; whoever asks for something now will see that nothing is answered
        except Lost as lost:
            return str(lost)
        return None

    def may_call_again(self, subject: Subject) -> bool:
        return self.gate.policy.decide(subject.classified.tool_class) is Decision.EXECUTE

    @asynccontextmanager
    async def anew(self) -> AsyncIterator[Talk]:
        """A connection beside this one, on which nothing was said yet."""
        async with self.visits.beside() as (peer, session):
            client = Client(peer, self.client.opening, self.client.manner, session)
            yield Talk(client, self.visits, self.subject, self.gate, self.settings)

    async def post(
        self,
        data: bytes,
        message: dict[str, Any] | None = None,
        *,
        without: tuple[str, ...] = (),
        extra: tuple[tuple[str, str], ...] = (),
    ) -> Reply:
        """One HTTP exchange with headers as they should not be. Any status from 400 on is a refusal."""
        began = time.perf_counter()
        connection: Any = self.client.peer.connection
        try:
            async with asyncio.timeout(self.settings.timeout):
                status, body = await connection.post(data, message, without=without, extra=extra)
        except TimeoutError:
            return Reply(waited=self.settings.timeout)
        except Lost as lost:
            return Reply(lost=str(lost))
        return Reply(_answer(status, body), duration_ms=(time.perf_counter() - began) * 1000)

    def seen(
        self, reply: Reply, what: str, *, strict: bool = True, arguments: Any = None, method: str = methods.CALL_TOOL
    ) -> Seen:
        """The verdict on a bad request: refused is good, and where it is not `strict`, so is any other answer."""
        verdict, evidence = judged(reply, strict=strict, method=method)
        return Seen(verdict, f"{what}: {evidence}", arguments, reply.duration_ms, self.client.session)


def worst(seen: list[Seen]) -> Seen:
    """The one that speaks for all: of equally bad ones the first."""
    order = (Verdict.CRASHED, Verdict.HUNG, Verdict.VIOLATED, Verdict.ACCEPTED, Verdict.PASSED)
    return min(seen, key=lambda one: order.index(one.verdict))


def _is_late(heard: Heard, asked: Any) -> bool:
    """Does it answer something that was asked before, and that nobody waits for any more?"""
    return type(heard.id) is int and type(asked) is int and heard.id < asked


def _answer(status: int, body: bytes) -> dict[str, Any]:
    """An HTTP answer as one of JSON-RPC, which it may hold, in plain text or as an event."""
    events = (parse_event(raw).data for raw in Events().feed(body))
    found = [value for value in map(_object, (body, *events)) if "error" in value]
    if status < 400:
        return found[0] if found else {"jsonrpc": "2.0", "result": {"status": status}}
    error = found[0]["error"] if found else None
    said = str(error.get("message")) if type(error) is dict else body[:100].decode("utf-8", "replace")
    return {"jsonrpc": "2.0", "error": {"code": status, "message": f"HTTP {status}: {said}"}}


def _object(data: bytes | None) -> dict[str, Any]:
    try:
        value = orjson.loads(data or b"")
    except orjson.JSONDecodeError:
        return {}
    return value if type(value) is dict else {}
