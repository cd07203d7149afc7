"""A client of our own: asks in the era that the conversation was opened in."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from mcptest.errors import TargetError
from mcptest.live.opening import Opening, meta
from mcptest.protocol import LISTS, methods
from mcptest.transport import Answer, Peer

_MOST_PAGES = 1000


class Manner(NamedTuple):
    """How we present ourselves, and how long we wait. `revision` None: the newest that the server speaks."""

    revision: str | None = None
    name: str = "mcptest"
    version: str = "0"
    capabilities: dict[str, Any] = {}  # noqa: RUF012 -- never changed
    timeout: float = 30.0

    @property
    def client(self) -> dict[str, Any]:
        return {"name": self.name, "version": self.version}


class Refusal(TargetError):  # noqa: N818
    """A request that had to succeed was answered with an error; `error` is its object."""

    def __init__(self, method: str, error: Any) -> None:
        self.error: dict[str, Any] = error if type(error) is dict else {}
        super().__init__(f"{method} failed: {self.error.get('code')} {str(self.error.get('message'))[:200]}")


class Client:
    """One open conversation. `session` is the recording of it, None where nothing is recorded."""

    def __init__(self, peer: Peer, opening: Opening, manner: Manner, session: str | None = None) -> None:
        self.peer, self.opening, self.manner, self.session = peer, opening, manner, session
        self._ids = itertools.count(1)

    @property
    def is_over(self) -> bool:
        return self.peer.over is not None

    def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The message that would be sent, with an id that was not used before and with what the era demands."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": next(self._ids), "method": method}
        if self.opening.is_stateless:
            own = meta(self.opening.revision, self.manner.client, self.manner.capabilities)
            given = (params or {}).get("_meta")
            params = {**(params or {}), "_meta": {**own, **(given if type(given) is dict else {})}}
        if params is not None:
            message["params"] = params
        return message

    async def ask(self, method: str, params: dict[str, Any] | None = None, *, timeout: float | None = None) -> Answer:
        """Any answer, be it a result or an error. TimeoutError if none came in time, Lost if none will come."""
        return await self.peer.ask(self.request(method, params), timeout or self.manner.timeout)

    async def result(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The answer's result; Refusal if it is an error, TargetError if none came."""
        try:
            answer = await self.ask(method, params)
        except TimeoutError:
            raise TargetError(f"{method} was not answered within {self.manner.timeout:g} s") from None
        result = answer.body.get("result")
        if type(result) is not dict:
            raise Refusal(method, answer.body.get("error"))
        return result

    async def tell(self, method: str, params: dict[str, Any] | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        await self.peer.tell(message if params is None else {**message, "params": params})

    async def listed(self, method: str) -> list[dict[str, Any]]:
        """All things of a list, over its pages."""
        key = LISTS[method].key
        return [thing async for page in self.pages(method) for thing in _objects(page.get(key))]

    async def pages(self, method: str) -> AsyncIterator[dict[str, Any]]:
        """The pages of a list, to the last; a server that never ends its list is left after a while."""
        cursor: Any = None
        seen: set[str] = set()
        for _ in range(_MOST_PAGES):
            page = await self.result(method, None if cursor is None else {"cursor": cursor})
            yield page
            cursor = page.get("nextCursor")
            if type(cursor) is not str or cursor in seen:
                return
            seen.add(cursor)

    async def tools(self) -> list[dict[str, Any]]:
        """What tools/list gives; nothing where the server does not declare tools."""
        return await self.listed("tools/list") if "tools" in self.opening.capabilities else []

    async def call(self, tool: str, arguments: dict[str, Any] | None, *, timeout: float | None = None) -> Answer:
        """Call a tool. Whoever uses this has passed the safety policy's gate for it."""
        params: dict[str, Any] = {"name": tool}
        if arguments is not None:
            params["arguments"] = arguments
        return await self.ask(methods.CALL_TOOL, params, timeout=timeout)


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if type(item) is dict] if type(value) is list else []
