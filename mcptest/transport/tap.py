"""The tap: all that crosses a connection to a live peer is copied through it, in the order in which it crossed."""

from __future__ import annotations

import json
from typing import Any, Protocol

from mcptest.wire.frame import EVENT


class Tap(Protocol):
    """Takes one frame, whose parts are as in `mcptest.wire.frame`. It must not fail."""

    def __call__(self, channel: int, data: bytes, *, conn: int = 0, flags: int = 0, meta: bytes = b"") -> None: ...


def untapped(channel: int, data: bytes, *, conn: int = 0, flags: int = 0, meta: bytes = b"") -> None:
    """For connections that nobody records."""


def note(tap: Tap, conn: int = 0, **event: Any) -> None:
    """Something that happened to the connection itself."""
    tap(EVENT, json.dumps(event).encode(), conn=conn)
