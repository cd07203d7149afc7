"""What all connections have in common, whatever carries them."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple, Protocol

from mcptest.errors import TargetError


class Lost(TargetError):  # noqa: N818 -- the state that it leaves us in
    """The target died, or an answer will never come. `status` is that of an HTTP answer that refused us."""

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


class Receiver(Protocol):
    """Whoever listens to a connection."""

    def received(self, data: bytes) -> None:
        """One message of the server, as its text."""

    def failed(self, request: Any, reason: str) -> None:
        """The request with this id will not be answered."""

    def ended(self, reason: str) -> None:
        """Nothing will come any more."""


class Connection(Protocol):
    """One client's connection to a server."""

    async def send(self, data: bytes, message: dict[str, Any] | None) -> None:
        """Send one message. `message` is what `data` says, None if it says nothing that a client should understand."""

    async def close(self) -> None:
        """End it, and whatever was started for it."""


class Patience(NamedTuple):
    """Seconds to wait."""

    connect: float = 20.0  # for a connection to be made
    end: float = 2.0  # for a server to end by itself when its client is gone
    term: float = 1.0  # and then to heed SIGTERM
    stream: float = 0.5  # for a stream of the server's own messages to open


async def within(event: asyncio.Event, seconds: float) -> bool:
    """Wait for something, but not for ever: whether it happened."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
