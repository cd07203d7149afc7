"""One spelling for equal JSON values, to look them up by."""

from __future__ import annotations

import json
from typing import Any

import orjson

_DEEPEST = 100


def canonical(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # half a surrogate pair, or nested deeper than orjson goes
        pass
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    except RecursionError:
        return b'"nested too deeply"'


def without_meta(params: Any) -> Any:
    """The params themselves: what stands in `_meta` belongs to the conversation. None is the same as nothing in it."""
    if type(params) is dict and "_meta" in params:
        params = {key: value for key, value in params.items() if key != "_meta"}
    return params or None


def whole_numbers(value: Any, depth: int = 0) -> Any:
    """The same value with 2.0 written as 2: languages differ in which of them they send."""
    if type(value) is float and value.is_integer():
        return int(value)
    if depth > _DEEPEST:
        return value
    if type(value) is dict:
        return {key: whole_numbers(member, depth + 1) for key, member in value.items()}
    if type(value) is list:
        return [whole_numbers(item, depth + 1) for item in value]
    return value


def shown(value: Any, longest: int = 120) -> str:
    """A value as JSON for people, in a few words."""
    try:
        return shorten(json.dumps(value, ensure_ascii=False), longest)
    except RecursionError:
        return "a value that is nested too deeply to be shown"


def shorten(text: str, longest: int = 120) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
