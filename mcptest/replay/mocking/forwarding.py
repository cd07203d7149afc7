"""Requests that the recording does not hold go to a live server, through the safety policy; what it answers is added.

The connection lives in a thread of its own with its own event loop, and is opened when it is first needed, with the
opening that the recorded client made.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import orjson

from mcptest.errors import McptestError
from mcptest.policy import Gate, Policy, classify
from mcptest.protocol import methods
from mcptest.replay.mocking.acts import Act, Converser
from mcptest.replay.mocking.library import Library
from mcptest.replay.plan import definitions
from mcptest.replay.turns import body
from mcptest.transport import Ears, Patience, Peer, Tap, Target, connect

_TIMEOUT = 60.0
_REFUSED = -32000
_INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Forwarded:
    """A request on its way, and in the end its answer."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request = request
        self.answer: bytes = b""
        self.recorded = False  # whether the answer is the server's, and not ours


class Forwarder:
    """`submit` from anywhere; `wake` becomes readable when something is `finished`."""

    def __init__(
        self, target: Target, library: Library, policy: Policy, tap: Tap, added: Callable[[bytes, bytes], None]
    ) -> None:
        self._target, self._library, self._tap, self._added = target, library, tap, added
        self._policy = policy
        self._done: deque[Forwarded] = deque()
        self.wake, self._waker = os.pipe()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._ready: asyncio.Task[Peer] | None = None
        self._closing: asyncio.Event | None = None
        self._connection: Future[None] | None = None
        self._tools: dict[str, Any] = {}
        self._number = 0
        self.pending = 0  # requests that were submitted, and whose answers were not taken yet

    def submit(self, request: dict[str, Any]) -> None:
        self.pending += 1
        asyncio.run_coroutine_threadsafe(self._forward(Forwarded(request)), self._loop)

    async def ask(self, request: dict[str, Any]) -> Forwarded:
        """The same for a caller with an event loop of its own."""
        one = Forwarded(request)
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._answer(one), self._loop))
        return one

    def finished(self, conversation: Converser) -> list[Act]:
        """The answers that have come."""
        os.read(self.wake, 4096)
        acts = []
        while self._done:
            one = self._done.popleft()
            self.pending -= 1
            self.learn(one, conversation)
            acts.append(Act(one.answer, is_answer=True))
        return acts

    def learn(self, one: Forwarded, conversation: Converser) -> None:
        if one.recorded:
            conversation.learn(one.request, one.answer)
            self._added(orjson.dumps(one.request), one.answer)

    def close(self) -> None:
        if self._connection is not None and self._closing is not None:
            self._loop.call_soon_threadsafe(self._closing.set)
            self._connection.result(timeout=_TIMEOUT)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        os.close(self.wake)
        os.close(self._waker)

    # ---- in the loop's thread

    async def _forward(self, one: Forwarded) -> None:
        await self._answer(one)
        self._done.append(one)
        os.write(self._waker, b"\0")

    async def _answer(self, one: Forwarded) -> None:
        try:
            if self._ready is None:
                self._ready = asyncio.create_task(self._connect(one.request))
            peer = await self._ready
            one.answer, one.recorded = orjson.dumps(await self._ask(peer, one.request)), True
        except (McptestError, TimeoutError) as error:
            text = f"mcptest mock: not forwarded: {error or 'no answer came in time'}"
            one.answer = orjson.dumps(
                {"jsonrpc": "2.0", "id": one.request["id"], "error": {"code": _REFUSED, "message": text}}
            )

    async def _ask(self, peer: Peer, request: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        sent = {**request, "id": f"mcptest-{self._number}"}
        if request["method"] == methods.CALL_TOOL:
            name = str((request.get("params") or {}).get("name", ""))
            tool = classify(name, self._tools.get(name, {}).get("annotations"))
            async with self._gate.call(tool):
                answer = await peer.ask(sent, _TIMEOUT)
        else:
            answer = await peer.ask(sent, _TIMEOUT)
        return {**answer.body, "id": request["id"]}

    async def _connect(self, request: dict[str, Any]) -> Peer:
        self._gate = Gate(self._policy, http=self._target.is_http)
        self._closing = asyncio.Event()
        ready: asyncio.Future[Peer] = self._loop.create_future()
        self._connection = asyncio.run_coroutine_threadsafe(self._live(ready), self._loop)
        peer = await ready
        self._library.read_all()
        opening = next((turn for turn in self._library.turns if turn.method == methods.INITIALIZE), None)
        if opening is not None:
            await peer.ask({**body(opening.raw), "id": "mcptest-opening"}, _TIMEOUT)
            await peer.tell(_INITIALIZED)
        params = request.get("params")
        meta = {"_meta": params["_meta"]} if type(params) is dict and "_meta" in params else {}
        listing = {"jsonrpc": "2.0", "id": "mcptest-tools", "method": "tools/list", "params": meta}
        self._tools = definitions((await peer.ask(listing, _TIMEOUT)).body, "tools")
        return peer

    async def _live(self, ready: asyncio.Future[Peer]) -> None:
        assert self._closing is not None
        try:
            async with connect(self._target, ears=Ears(), tap=self._tap, patience=Patience()) as peer:
                ready.set_result(peer)
                await self._closing.wait()
        except McptestError as error:
            if not ready.done():
                ready.set_exception(error)
