"""From a frame's bytes to JSON-RPC messages. Malformed input is a kind of message, never an exception."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn

import orjson

REQUEST, NOTIFICATION, RESPONSE, MALFORMED = "request", "notification", "response", "malformed"

_LONGEST_INTEGER = 4000
_SEPARATORS = re.compile(r"[\s,]*")


class Id(NamedTuple):
    """A JSON-RPC id as (JSON type, text): `1` and `"1"` differ, and 2**64 keeps all its digits."""

    type: str  # string, number, null, boolean, object, array
    text: str


class Message(NamedTuple):
    """One JSON-RPC message. `body` is the parsed object, None where malformed; `batch` is its place in a batch
    (None outside of one); `raw` its own text inside the frame."""

    kind: str
    id: Id | None
    method: str | None
    body: dict[str, Any] | None
    reason: str | None = None
    batch: int | None = None
    raw: bytes | None = None


def parse(data: bytes) -> list[Message]:
    """The messages in one frame: one, or several for a batch. `raw` is None where it is the whole frame."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        value = _parse_slowly(data)
        if isinstance(value, Message):
            return [value]
    if type(value) is list:
        return _batch(data)
    return [_classify(value, data)]


def _parse_slowly(data: bytes) -> Any:
    """orjson refuses some documents that the grammar allows (lone surrogates): the standard parser has the last word."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _malformed(f"not UTF-8 (byte {error.start})")
    if text.startswith("\ufeff"):
        return _malformed("starts with a byte order mark")
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=_integer)
    except RecursionError:
        return _malformed("nested too deeply")
    except ValueError as error:
        if not text.strip():
            return _malformed("empty line")
        reason = f"{error.msg} (column {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else str(error)
        return _malformed(f"not JSON: {reason}")


def _integer(digits: str) -> int | float:
    """Python refuses to convert numbers of thousands of digits, which JSON allows: such a one becomes infinite."""
    return int(digits) if len(digits) < _LONGEST_INTEGER else float(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _malformed(reason: str, body: dict[str, Any] | None = None, batch: int | None = None) -> Message:
    return Message(MALFORMED, None, None, body, reason, batch)


def _batch(data: bytes) -> list[Message]:
    """Each member with its own text, cut out of the frame as it stands there."""
    text = data.decode("utf-8")
    messages: list[Message] = []
    position = text.index("[") + 1
    while True:
        position = _SEPARATORS.match(text, position).end()  # type: ignore[union-attr]  # matches the empty string
        if text[position] == "]":
            break
        value, after = _SCANNER.raw_decode(text, position)
        raw = text[position:after].encode("utf-8", "surrogatepass")
        messages.append(_classify(value, raw)._replace(batch=len(messages), raw=raw))
        position = after
    return messages or [_malformed("empty batch")]


def _classify(value: Any, data: bytes) -> Message:
    if type(value) is not dict:
        return _malformed(f"a JSON {json_type(value)} is no JSON-RPC message")
    method = value.get("method")
    if "method" in value:
        if type(method) is not str:
            return _malformed(f"method is {json_type(method)}, not string", value)
        if "id" in value:
            return Message(REQUEST, _id(value["id"], data), method, value)
        return Message(NOTIFICATION, None, method, value)
    if "result" in value or "error" in value:
        identity = _id(value["id"], data) if "id" in value else None
        return Message(RESPONSE, identity, None, value)
    return _malformed("neither method, result nor error", value)


def _id(value: Any, data: bytes) -> Id:
    kind = type(value)
    if kind is int:
        return Id("number", str(value))
    if kind is str:
        return Id("string", value)
    if kind is float:
        return Id("number", _number_text(data, value))
    if value is None:
        return Id("null", "null")
    if kind is bool:
        return Id("boolean", "true" if value else "false")
    return Id(json_type(value), json.dumps(value, sort_keys=True))


def _number_text(data: bytes, value: float) -> str:
    """The id's own digits: integers beyond 64 bits arrive from orjson as floats, and 1.0 is not 1."""
    try:
        document = json.loads(data, parse_int=_Digits, parse_float=_Digits, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return repr(value)
    text = document.get("id") if type(document) is dict else None
    return str(text) if isinstance(text, _Digits) else repr(value)


class _Digits(str):
    __slots__ = ()


_JSON_TYPES = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def json_type(value: Any) -> str:
    return _JSON_TYPES.get(type(value), "unknown")


_SCANNER = json.JSONDecoder(parse_int=_integer, parse_constant=_no_constant)
