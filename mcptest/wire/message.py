"""From a frame's bytes to JSON-RPC messages. Malformed input is a kind of message, never an exception."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn

import orjson

REQUEST, NOTIFICATION, RESPONSE, MALFORMED = "request", "notification", "response", "malformed"

LARGEST_BATCH = 200_000  # a frame of a hundred megabytes could hold fifty million

_LONGEST_INTEGER = 4000
_TOO_DEEP = "nested too deeply"
_SEPARATORS = re.compile(r"[\s,]*")
_NESTING = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


class Id(NamedTuple):
    """A JSON-RPC id as (JSON type, text): `1` and `"1"` differ, and 2**64 keeps all its digits."""

    type: str  # string, number, null, boolean, object, array
    text: str


class Message(NamedTuple):
    """One JSON-RPC message. `body` is the parsed object, None where there is none; `reason` says why it is malformed;
    `batch` is its place in a batch (None outside of one); `raw` its own text inside the frame. The rest says where in
    its session it stands."""

    kind: str
    id: Id | None
    method: str | None
    body: dict[str, Any] | None
    reason: str | None = None
    batch: int | None = None
    raw: bytes | None = None
    seq: int = 0
    at: int = 0
    mono: int = 0
    conn: int = 0
    sender: str = ""


def parse(data: bytes) -> list[Message]:
    """The messages in one frame: one, or several for a batch. `raw` is None where it is the whole frame."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        # How deep is too deep must not depend on how much stack this Python has.
        value = _malformed(_TOO_DEEP) if "limit" in str(error) else _parse_slowly(data)
        if isinstance(value, Message):
            return [value]
    if type(value) is list:
        return _batch(data)
    return [_message(value, data)]


def classify(value: Any, data: bytes) -> tuple[str, Id | None, str | None, str | None]:
    """What a JSON value is as a JSON-RPC message: its kind, id, method, and why it is malformed."""
    kind, identity, method, reason = sort_out(value, data)
    return kind, None if identity is None else Id(*identity), method, reason


def sort_out(value: Any, data: bytes) -> tuple[str, tuple[str, str] | None, str | None, str | None]:
    """The same with a plain tuple for the id, which is equal to it: this runs for every message of a capture."""
    if type(value) is not dict:
        return MALFORMED, None, None, f"a JSON {json_type(value)} is no JSON-RPC message"
    identity: tuple[str, str] | None = None
    if "id" in value:
        given = value["id"]
        if type(given) is int:
            identity = ("number", str(given))
        elif type(given) is str:
            identity = ("string", given)
        else:
            identity = identify(given, data)
    if "method" in value:
        method = value["method"]
        if type(method) is not str:
            return MALFORMED, None, None, f"method is {json_type(method)}, not string"
        return NOTIFICATION if identity is None else REQUEST, identity, method, None
    if "result" in value or "error" in value:
        return RESPONSE, identity, None, None
    return MALFORMED, None, None, "neither method, result nor error"


def _message(value: Any, data: bytes, batch: int | None = None) -> Message:
    kind, identity, method, reason = classify(value, data)
    body = value if type(value) is dict else None
    return Message(kind, identity, method, body, reason, batch, None if batch is None else data)


def _parse_slowly(data: bytes) -> Any:
    """orjson refuses some documents that the grammar allows (lone surrogates): the standard parser decides."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _malformed(f"not UTF-8 (byte {error.start})")
    if text.startswith("\ufeff"):
        return _malformed("starts with a byte order mark")
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=_integer)
    except RecursionError:
        return _malformed(_TOO_DEEP)
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


def _malformed(reason: str) -> Message:
    return Message(MALFORMED, None, None, None, reason)


def _batch(data: bytes) -> list[Message]:
    """Each member with its own text, cut out of the frame as it stands there."""
    text = data.decode("utf-8")
    messages: list[Message] = []
    position = text.index("[") + 1
    while True:
        position = _SEPARATORS.match(text, position).end()  # type: ignore[union-attr]  # matches the empty string
        if text[position] == "]":
            break
        if len(messages) == LARGEST_BATCH:
            rest = _malformed(f"a batch of more than {LARGEST_BATCH} messages: the rest is not taken apart")
            messages.append(rest._replace(batch=len(messages), raw=text[position:].encode("utf-8")))
            break
        try:
            value, after = _SCANNER.raw_decode(text, position)
        except RecursionError:
            after = _end_of_value(text, position)
            value = orjson.loads(text[position:after])
        raw = text[position:after].encode("utf-8")
        messages.append(_message(value, raw, len(messages)))
        position = after
    return messages or [_malformed("empty batch")]


def _end_of_value(text: str, position: int) -> int:
    """Where an array or object ends that is nested too deeply for the standard parser, which recurses."""
    depth = 0
    for token in _NESTING.finditer(text, position):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)


def identify(value: Any, data: bytes, path: tuple[str, ...] = ("id",)) -> Id:
    """The id that a value stands for, which came from this place of a message: a number's own digits are looked up
    there, since integers beyond 64 bits arrive from orjson as floats, and 1.0 is not 1."""
    kind = type(value)
    if kind is int:
        return Id("number", str(value))
    if kind is str:
        return Id("string", value)
    if kind is float:
        return Id("number", _number_text(value, data, path))
    if value is None:
        return Id("null", "null")
    if kind is bool:
        return Id("boolean", "true" if value else "false")
    try:
        return Id(json_type(value), json.dumps(value, sort_keys=True))
    except RecursionError:
        return Id(json_type(value), _TOO_DEEP)


def _number_text(value: float, data: bytes, path: tuple[str, ...]) -> str:
    try:
        found = json.loads(data, parse_int=_Digits, parse_float=_Digits, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return repr(value)
    for key in path:
        found = found.get(key) if type(found) is dict else None
    return str(found) if isinstance(found, _Digits) else repr(value)


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
