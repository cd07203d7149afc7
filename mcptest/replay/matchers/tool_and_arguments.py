"""The same tool with the same arguments, whatever else the call says; `2.0` is the same as `2`."""

from __future__ import annotations

from typing import Any

from mcptest.protocol import methods
from mcptest.replay.canonical import canonical, whole_numbers
from mcptest.replay.matchers import Ignoring

STRICTNESS = 20


def key(method: str, params: Any, ignoring: Ignoring) -> bytes | None:  # noqa: ARG001
    if method != methods.CALL_TOOL or type(params) is not dict or "inputResponses" in params:
        return None
    return canonical([params.get("name"), whole_numbers(params.get("arguments") or {})])
