"""What a mock's brain tells its shell to do."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import orjson

from mcptest.wire import Id


class Act(NamedTuple):
    """Something for the shell to do. `request` is the id, as text, of the client's request that it belongs to; `delay`
    is how long after the act before it, in nanoseconds of the recording; `late` is added by a fault. `until` is the id
    of a request to the client: nothing more comes of this turn until it was replied to."""

    data: bytes = b""
    request: str | None = None
    is_answer: bool = False
    delay: int = 0
    late: int = 0
    until: Id | None = None
    cancel: bool = False
    forward: dict[str, Any] | None = None
    disconnect: bool = False
    wedge: bool = False


class Converser(Protocol):
    """One client's conversation with a mock."""

    def open(self) -> list[Act]:
        """What the server says before it is spoken to."""

    def receive(self, data: bytes) -> list[Act]:
        """What it does about one message."""

    def learn(self, request: dict[str, Any], answer: bytes) -> None:
        """An exchange that was forwarded, and is known from now on."""


class Thinker(Protocol):
    """A mock's brain, which holds any number of conversations."""

    def converse(self) -> Converser: ...


def error(live: str, code: int, text: str) -> Act:
    message = orjson.dumps({"code": code, "message": text}).decode()
    return Act(f'{{"jsonrpc":"2.0","id":{live},"error":{message}}}'.encode(), live, is_answer=True)
