"""Recorded messages with the ids and tokens of a live conversation in them, every other byte as it was."""

from __future__ import annotations

from typing import Any

import orjson

from mcptest.protocol import methods
from mcptest.replay.canonical import canonical
from mcptest.replay.turns import Said, body
from mcptest.wire import Id

# How SDKs begin or end an answer, up to its id.
_HEADS = ('{"jsonrpc":"2.0","id":', '{"jsonrpc": "2.0", "id": ')
_TAIL = ',"jsonrpc":"2.0","id":'


def id_text(identity: Id) -> str:
    """An id as it is written in a message."""
    if identity.type == "string":
        return orjson.dumps(identity.text).decode()
    return identity.text


def with_id(raw: str, old: Id, new: str) -> bytes:
    """A message under another id. What SDKs write is cut and joined; anything else is written anew."""
    was = id_text(old)
    for head in _HEADS:
        end = len(head) + len(was)
        if raw.startswith(head) and raw[len(head) : end] == was and raw[end : end + 1] in (",", "}"):
            return (head + new + raw[end:]).encode()
    tail = f"{_TAIL}{was}}}"
    if raw.endswith(tail):
        return (raw[: -len(tail)] + _TAIL + new + "}").encode()
    rest = canonical_message({key: value for key, value in body(raw).items() if key not in ("id", "jsonrpc")})
    return f"{_HEADS[0]}{new},".encode() + rest[1:]


def notification(said: Said, recorded_token: str | None, token: Any) -> bytes | None:
    """A recorded notification for a live request: with its progress token, None where it did not ask for progress."""
    if said.token is None or said.token != recorded_token:
        return said.raw.encode()
    if token is None:
        return None
    message = body(said.raw)
    return canonical_message({**message, "params": {**message["params"], methods.PROGRESS_TOKEN: token}})


def subscription(said: Said) -> str | None:
    """The recorded id of the subscription that a notification came for."""
    if methods.SUBSCRIPTION_ID not in said.raw:
        return None
    identity = _meta(said).get(methods.SUBSCRIPTION_ID)
    return str(identity) if type(identity) in (str, int) else None


def subscribed(said: Said, live: str) -> bytes:
    """A notification for a live subscription."""
    message = body(said.raw)
    meta = {**_meta(said), methods.SUBSCRIPTION_ID: orjson.loads(live)}
    return canonical_message({**message, "params": {**message["params"], "_meta": meta}})


def _meta(said: Said) -> dict[str, Any]:
    params: Any = body(said.raw).get("params")
    meta = params.get("_meta") if type(params) is dict else None
    return meta if type(meta) is dict else {}


def canonical_message(message: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(message)
    except TypeError:
        return canonical(message)
