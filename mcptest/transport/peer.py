"""The client's side of a conversation: ask and wait for the answer, tell, and hear what the server says by itself."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, NamedTuple

import orjson

from mcptest.transport.connection import Connection, Lost
from mcptest.wire import Id, parse
from mcptest.wire.message import NOTIFICATION, REQUEST, RESPONSE, identify


class Answer(NamedTuple):
    """A live answer: the whole message, and how long it took, in nanoseconds."""

    body: dict[str, Any]
    duration: int


class Ears:
    """What to do with messages of the server's own accord; the default is as little as a client may."""

    def notified(self, message: dict[str, Any]) -> None:
        """A notification came."""

    def asked(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """A request came: its `result` or `error` as an object, None for no reply at all."""
        if message["method"] == "ping":
            return {"result": {}}
        return {"error": {"code": -32601, "message": "Method not found"}}

    def garbled(self, data: bytes, reason: str) -> None:
        """Something came that is no message."""


def encode(message: dict[str, Any]) -> bytes:
    """A message's text; what the fast writer refuses (large numbers, half a surrogate pair) is written slowly."""
    try:
        return orjson.dumps(message)
    except TypeError:
        return json.dumps(message).encode()


class Peer:
    """Pairs answers with requests. It is the connection's receiver."""

    def __init__(self, ears: Ears) -> None:
        self._ears = ears
        self._waiting: dict[Id, tuple[asyncio.Future[Answer], int]] = {}
        self._replies: set[asyncio.Task[None]] = set()
        self._end: str | None = None
        self.connection: Connection

    @property
    def over(self) -> str | None:
        """Why nothing will come any more, None while something may."""
        return self._end

    async def ask(self, message: dict[str, Any], timeout: float | None = None) -> Answer:
        """Send a request and wait for its answer. Lost if none will come, TimeoutError if none came."""
        future = await self.begin(message)
        try:
            async with asyncio.timeout(timeout):
                return await future
        except TimeoutError:
            self.forget(message["id"])
            raise

    async def begin(self, message: dict[str, Any]) -> asyncio.Future[Answer]:
        """Send a request; the future is its answer."""
        if self._end is not None:
            raise Lost(self._end)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        future.add_done_callback(_look)
        key = identify(message["id"], b"")
        self._waiting[key] = future, time.monotonic_ns()
        try:
            await self.connection.send(encode(message), message)
        except BaseException:
            self._waiting.pop(key, None)
            raise
        return future

    def forget(self, request: Any) -> None:
        """Nobody waits for this request's answer any more."""
        self._waiting.pop(identify(request, b""), None)

    async def tell(self, message: dict[str, Any]) -> None:
        """Send a notification, or anything else that gets no answer."""
        if self._end is not None:
            raise Lost(self._end)
        await self.connection.send(encode(message), message)

    async def settle(self) -> None:
        """Wait until all replies are on their way."""
        while self._replies:
            await asyncio.wait(self._replies)

    # ---- what the connection tells us

    def received(self, data: bytes) -> None:
        for message in parse(data):
            if message.body is None or message.kind not in (REQUEST, NOTIFICATION, RESPONSE):
                self._ears.garbled(data, message.reason or "no message")
            elif message.kind == RESPONSE:
                self._answered(message.id, message.body)
            elif message.kind == NOTIFICATION:
                self._ears.notified(message.body)
            else:
                self._asked(message.body)

    def failed(self, request: Any, reason: str) -> None:
        waiting = self._waiting.pop(identify(request, b""), None)
        if waiting is not None and not waiting[0].done():
            waiting[0].set_exception(Lost(reason))

    def ended(self, reason: str) -> None:
        if self._end is not None:
            return
        self._end = reason
        for future, _ in self._waiting.values():
            if not future.done():
                future.set_exception(Lost(reason))
        self._waiting.clear()

    def _answered(self, identity: Id | None, body: dict[str, Any]) -> None:
        waiting = self._waiting.pop(identity, None) if identity is not None else None
        if waiting is None:
            self._ears.garbled(orjson.dumps(body), "an answer to nothing that was asked")
        elif not waiting[0].done():
            waiting[0].set_result(Answer(body, time.monotonic_ns() - waiting[1]))

    def _asked(self, body: dict[str, Any]) -> None:
        reply = self._ears.asked(body)
        if reply is not None:
            task = asyncio.get_running_loop().create_task(self._reply({"jsonrpc": "2.0", "id": body["id"], **reply}))
            self._replies.add(task)
            task.add_done_callback(self._replies.discard)

    async def _reply(self, message: dict[str, Any]) -> None:
        try:
            await self.connection.send(encode(message), message)
        except Lost:
            pass  # whoever waits for something learns of it there


def _look(future: asyncio.Future[Answer]) -> None:
    """A future whose failure nobody looks at would complain when it is thrown away."""
    if not future.cancelled():
        future.exception()
