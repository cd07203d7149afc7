"""Values in messages: short, on one line, and harmless to a terminal."""

from __future__ import annotations

import json
from typing import Any

from mcptest.jsontext import pointer, same
from mcptest.suites.targets import MISSING
from mcptest.visible import visible

_LONGEST = 160
_DEEPEST = 50


def shown(value: Any, longest: int = _LONGEST) -> str:
    if value is MISSING:
        return "nothing"
    try:
        text = visible(json.dumps(value, ensure_ascii=False))
    except (ValueError, RecursionError):
        text = "a value nested too deeply to show"
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def difference(one: Any, other: Any) -> str:
    """` at /a/0: 1 became 2`, the first place where two values differ."""
    path: list[str | int] = []
    while len(path) < _DEEPEST:
        step = _first(one, other)
        if step is None:
            break
        path.append(step)
        one, other = _inside(one, step), _inside(other, step)
    return f" at {pointer(*path)}: {shown(one, 80)} became {shown(other, 80)}" if path else ""


def _first(one: Any, other: Any) -> str | int | None:
    """The first key or index at which two containers of one kind differ."""
    keys: list[Any] = []
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
    elif isinstance(one, list) and isinstance(other, list):
        keys = list(range(max(len(one), len(other))))
    return next((key for key in keys if not _equal(_inside(one, key), _inside(other, key))), None)


def _equal(one: Any, other: Any) -> bool:
    return one is other or (one is not MISSING and other is not MISSING and same(one, other))


def _inside(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(key, MISSING)
    return value[key] if isinstance(value, list) and key < len(value) else MISSING
