"""A server that is met again and again: whatever a probe did to it, the next probe meets it whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Any, NamedTuple

import orjson

from mcptest.live import Client, Keeping, Manner, reach, visit
from mcptest.protocol import methods
from mcptest.transport import Ears, Patience, Peer, Target

_MOST_HEARD, _LONGEST_HEARD = 10_000, 1000  # in one visit
# A server that was just killed by a probe need not be waited for as long as a healthy one.
_PATIENCE = Patience(end=1.0, term=0.5)
_MANNER = Manner()
_LEAVING = 15.0  # seconds, more than all the patience with a server that is to end


class Heard(NamedTuple):
    """Something that is no answer to anything that was asked."""

    data: bytes
    reason: str
    id: Any = None  # what it claims to answer


class _Ears(Ears):
    def __init__(self) -> None:
        self.heard: list[Heard] = []

    def garbled(self, data: bytes, reason: str) -> None:
        if len(self.heard) < _MOST_HEARD:
            self.heard.append(Heard(data[:_LONGEST_HEARD], reason, identity_of(data)))


class Visits:
    """`async with Visits(target) as visits: client = await visits.client()`. Each visit is recorded as a session of its
    own where `keeping` says so; `sessions` are their ids."""

    def __init__(
        self,
        target: Target,
        manner: Manner = _MANNER,
        *,
        keeping: Keeping | None = None,
        patience: Patience = _PATIENCE,
    ) -> None:
        self.target, self.manner, self.keeping, self.patience = target, manner, keeping, patience
        self.sessions: list[str] = []
        self.starts = 0
        self._stack = AsyncExitStack()
        self._client: Client | None = None
        self._ears = _Ears()

    async def __aenter__(self) -> Visits:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.leave()

    @property
    def session(self) -> str | None:
        return self._client.session if self._client is not None else None

    @property
    def heard(self) -> list[Heard]:
        """What was heard in this visit beside answers."""
        return self._ears.heard

    async def client(self) -> Client:
        """The open conversation, a new one where there is none or the last is over. TargetError if that fails."""
        if self._client is not None and not self._client.is_over:
            return self._client
        await self.leave()
        self._ears = _Ears()
        self._client = await self._stack.enter_async_context(
            visit(self.target, self.manner, keeping=self.keeping, ears=self._ears, patience=self.patience)
        )
        self.starts += 1
        if self._client.session is not None:
            self.sessions.append(self._client.session)
        # The era is known now: later visits need not find it out again.
        self.manner = self.manner._replace(revision=self._client.opening.revision)
        return self._client

    async def leave(self) -> None:
        """End the conversation, if there is one; the next one begins anew."""
        stack, self._stack, self._client = self._stack, AsyncExitStack(), None
        try:
            # Replies to a server that reads nothing are on their way for ever.
            async with asyncio.timeout(_LEAVING):
                await stack.aclose()
        except TimeoutError:
            pass

    def another(self) -> Visits:
        """The same server for somebody who works beside this one."""
        return Visits(self.target, self.manner, keeping=self.keeping, patience=self.patience)

    @asynccontextmanager
    async def beside(self) -> AsyncIterator[tuple[Peer, str | None]]:
        """Another connection, on which nothing was said yet, and its session."""
        async with reach(self.target, keeping=self.keeping, patience=self.patience) as (peer, session):
            if session is not None:
                self.sessions.append(session)
            yield peer, session

    @property
    def good_request(self) -> tuple[str, dict[str, Any] | None]:
        """What every server must answer, and what changes nothing: a ping, or a discovery in the era without pings."""
        stateless = self._client is not None and self._client.opening.is_stateless
        return (methods.DISCOVER, {}) if stateless else ("ping", None)


def identity_of(data: bytes) -> Any:
    """The id in a message, None if there is none."""
    try:
        message = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return message.get("id") if type(message) is dict and "method" not in message else None
