"""The same method with the same params, but for `_meta`."""

from __future__ import annotations

from typing import Any

from mcptest.replay.canonical import canonical, without_meta
from mcptest.replay.matchers import Ignoring

STRICTNESS = 10


def key(method: str, params: Any, ignoring: Ignoring) -> bytes | None:  # noqa: ARG001
    return method.encode() + b" " + canonical(without_meta(params))
