"""The same method, whatever it is about. Always used for what opens a conversation."""

from __future__ import annotations

from typing import Any

from mcptest.replay.matchers import Ignoring

STRICTNESS = 50


def key(method: str, params: Any, ignoring: Ignoring) -> bytes | None:  # noqa: ARG001
    return method.encode()
