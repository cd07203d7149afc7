"""Requests on their way over HTTP, where each may have a connection of its own: what keeps them in order."""

from __future__ import annotations

import asyncio
from typing import Any


class Flight:
    """One request: whether it has been sent, and whether the server has begun to answer it."""

    def __init__(self) -> None:
        self.sent, self.heard = asyncio.Event(), asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def land(self) -> None:
        """Nobody has to wait for it any more."""
        self.sent.set()
        self.heard.set()


def cancelled(message: dict[str, Any]) -> str:
    """The request that a cancellation names."""
    params = message.get("params")
    return str(params.get("requestId")) if type(params) is dict else ""
