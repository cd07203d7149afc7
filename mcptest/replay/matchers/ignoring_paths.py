"""The same params after what varies (timestamps, UUIDs, ids) and what `--ignore` names is taken out."""

from __future__ import annotations

from typing import Any

from mcptest.replay.canonical import canonical, whole_numbers, without_meta
from mcptest.replay.matchers import Ignoring

STRICTNESS = 30


def key(method: str, params: Any, ignoring: Ignoring) -> bytes | None:
    return method.encode() + b" " + canonical(whole_numbers(ignoring(method, without_meta(params))))
