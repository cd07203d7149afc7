"""The same tool, prompt or resource, whatever its arguments."""

from __future__ import annotations

from typing import Any

from mcptest.protocol import NAMES
from mcptest.replay.canonical import canonical
from mcptest.replay.matchers import Ignoring

STRICTNESS = 40


def key(method: str, params: Any, ignoring: Ignoring) -> bytes | None:  # noqa: ARG001
    name = NAMES.get(method)
    if name is None or type(params) is not dict or name not in params:
        return None
    return canonical([method, params[name]])
