"""One spelling for equal JSON values, to look them up by."""

from __future__ import annotations

import json
from typing import Any

import orjson


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


def whole_numbers(value: Any) -> Any:
    """The same value with 2.0 written as 2: languages differ in which of them they send."""
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is dict:
        return {key: whole_numbers(member) for key, member in value.items()}
    if type(value) is list:
        return [whole_numbers(item) for item in value]
    return value
