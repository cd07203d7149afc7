"""`${args.city}` in an answer: an argument of the call in its place. `$${` is a literal `${`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import orjson

_PLACE = re.compile(r"\$(\$\{)|\$\{args((?:\.[^.\[\]{}]+|\[\d+\])+)\}")
_STEP = re.compile(r"\.([^.\[\]{}]+)|\[(\d+)\]")


def fill(value: Any, arguments: Mapping[str, Any]) -> Any:
    """The value with arguments in it. A text that is one place and nothing else becomes the argument itself; an
    argument that was not given is null, or nothing inside a text."""
    if isinstance(value, str):
        whole = _PLACE.fullmatch(value)
        if whole and whole[2]:
            return _look_up(whole[2], arguments)
        return _PLACE.sub(lambda match: _text(match, arguments), value)
    if isinstance(value, dict):
        return {key: fill(member, arguments) for key, member in value.items()}
    if isinstance(value, list):
        return [fill(item, arguments) for item in value]
    return value


def _text(match: re.Match[str], arguments: Mapping[str, Any]) -> str:
    if match[1]:
        return match[1]
    found = _look_up(match[2], arguments)
    if found is None:
        return ""
    return found if isinstance(found, str) else orjson.dumps(found).decode()


def _look_up(path: str, arguments: Mapping[str, Any]) -> Any:
    value: Any = arguments
    for name, index in _STEP.findall(path):
        if name:
            value = value.get(name) if isinstance(value, Mapping) else None
        else:
            value = value[int(index)] if isinstance(value, list) and int(index) < len(value) else None
    return value
