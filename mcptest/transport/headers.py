"""The headers that a client sends with a message: the revision it speaks and, since 2026-07-28, what the message is."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any

from mcptest.protocol import STATELESS_REVISIONS, methods

SESSION, VERSION = "Mcp-Session-Id", "MCP-Protocol-Version"
METHOD, NAME, PARAM = "Mcp-Method", "Mcp-Name", "Mcp-Param-"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN = re.compile(r"[\x20-\x7e]*")
_SENTINEL = re.compile(r"=\?base64\?.*\?=")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_MOST_DEEP = 64


def revision_of(message: Mapping[str, Any]) -> str | None:
    """The revision that a message itself says it is of, as the stateless era demands."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    version = meta.get(methods.PROTOCOL_VERSION) if isinstance(meta, Mapping) else None
    return version if isinstance(version, str) else None


def is_stateless(revision: str | None) -> bool:
    return revision is not None and (revision in STATELESS_REVISIONS or revision > STATELESS_REVISIONS[-1])


def mirrored(message: Mapping[str, Any], schema: Any = None) -> Iterator[tuple[str, str]]:
    """The headers that repeat parts of a message of the stateless era; `schema` is the called tool's input schema."""
    method, params = str(message.get("method", "")), message.get("params")
    yield METHOD, encode(method)
    if not isinstance(params, Mapping):
        return
    name = params.get(_NAMED.get(method, ""))
    if isinstance(name, str):
        yield NAME, encode(name)
    arguments = params.get("arguments")
    if method == methods.CALL_TOOL and isinstance(arguments, Mapping):
        for token, value in _annotated(schema, arguments):
            text = _render(value)
            if text is not None:
                yield PARAM + token, encode(text)


def encode(text: str) -> str:
    """As it is where that survives HTTP, else wrapped in base64."""
    if _PLAIN.fullmatch(text) and text == text.strip() and not _SENTINEL.fullmatch(text):
        return text
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode('ascii')}?="


def decode(value: str) -> str | None:
    """The text that a header's value stands for; None if it is none."""
    if not _SENTINEL.fullmatch(value):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode("utf-8")
    except ValueError:
        return None


def _annotated(schema: Any, value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """What the schema's `x-mcp-header` marks in a value, through `properties` only."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping) or not isinstance(value, Mapping) or depth > _MOST_DEEP:
        return
    for key, member in properties.items():
        if key in value and isinstance(member, Mapping):
            token = member.get("x-mcp-header")
            if isinstance(token, str) and _TOKEN.fullmatch(token):
                yield token, value[key]
            yield from _annotated(member, value[key], depth + 1)


def _render(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None
