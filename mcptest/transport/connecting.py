"""Open a connection to a target, and close it whatever happens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcptest.transport.connection import Patience
from mcptest.transport.peer import Ears, Peer
from mcptest.transport.tap import Tap, note, untapped
from mcptest.transport.target import Target

_PATIENCE = Patience()


@asynccontextmanager
async def connect(
    target: Target, *, ears: Ears | None = None, tap: Tap = untapped, patience: Patience = _PATIENCE
) -> AsyncIterator[Peer]:
    """A live server to talk to. TargetError if it cannot be started or reached."""
    peer = Peer(ears or Ears())
    if target.is_http:
        from mcptest.transport.http import Http as Carrier
    else:
        from mcptest.transport.stdio import Stdio as Carrier  # type: ignore[assignment]
    peer.connection = await Carrier.open(target, tap, peer, patience)
    try:
        yield peer
        await peer.settle()
    finally:
        await peer.connection.close()
        note(tap, event="end")
