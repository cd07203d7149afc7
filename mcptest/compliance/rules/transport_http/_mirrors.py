"""Headers that repeat parts of a request's body, as the stateless era wants it."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from mcptest.compliance.kit import HttpExchange, Inconclusive, Message
from mcptest.compliance.rules.tools._headers import faults, mirrored
from mcptest.protocol import PROTOCOL_VERSION

VERSION, METHOD, NAME, PARAM = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Param-"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
Wanted = list[tuple[str, tuple[str, ...]]]  # headers, each with the path to its argument
_SENTINEL = re.compile(r"=\?base64\?(.*)\?=")
_PLAIN = re.compile(r"[\x20-\x7e\t]*")
_PLACEHOLDER = re.compile(r"redacted-[0-9a-f]{12}")


class Fault(NamedTuple):
    """`missing`: there is no such header. `surplus`: it repeats what is not there."""

    header: str
    text: str
    missing: bool = False
    surplus: bool = False


class Mirrored(NamedTuple):
    """A value of the body, as text, and the header that repeats it; `number`: it is to be compared as one."""

    header: str
    value: str
    number: bool = False


def request_of(exchange: HttpExchange) -> Message | None:
    """The request that a POST consists of."""
    one = exchange.sent[0] if len(exchange.sent) == 1 else None
    return one if one is not None and one.kind == "request" else None


def version_fault(exchange: HttpExchange, request: Message) -> Fault | None:
    named = request.meta.get(PROTOCOL_VERSION)
    given = exchange.header(VERSION)
    if given is None:
        return Fault(VERSION, f"The POST has no {VERSION}", missing=True)
    if type(named) is str and given != named:
        return Fault(VERSION, f"{VERSION} is {given[:40]!r}, and the body says {named[:40]!r}")
    return None


def method_fault(exchange: HttpExchange, request: Message) -> Fault | None:
    given = exchange.header(METHOD)
    if given is None:
        return Fault(METHOD, f"The POST has no {METHOD}", missing=True)
    if given != request.method:
        return Fault(METHOD, f"{METHOD} is {given[:80]!r}, and the method is {str(request.method)[:80]!r}")
    return None


def name_of(request: Message) -> str | None:
    """What Mcp-Name has to repeat, if anything."""
    name = request.params.get(NAMED.get(request.method or "", ""))
    return name if type(name) is str else None


def name_fault(exchange: HttpExchange, request: Message) -> Fault | None:
    name = name_of(request)
    return None if name is None else _compare(exchange, Mirrored(NAME, name))


def standard_faults(exchange: HttpExchange, request: Message) -> list[Fault]:
    found = (version_fault(exchange, request), method_fault(exchange, request), name_fault(exchange, request))
    return [fault for fault in found if fault is not None]


def wanted_by(request: Message) -> Wanted | None:
    """The headers that the called tool wants, each with the path to the argument. None where that is not known: the
    tool was not listed, its list has changed since, or its annotations are not legal."""
    if request.method != "tools/call":
        return []
    tools = request.known.tools
    tool = tools.get(request.params.get("name"))
    if tool is None or tools.changed is not None:
        return None
    schema = tool.members.get("inputSchema")
    if next(faults(schema), None) is not None:
        return None
    return [(PARAM + one.header, one.path) for one in mirrored(schema)]


def param_faults(exchange: HttpExchange, request: Message, wanted: Wanted) -> Iterator[Fault]:
    for header, path in wanted:
        value = _at(request.params.get("arguments"), path)
        if value is None:
            if exchange.header(header) is not None:
                text = f"{header[:80]} is sent, and the argument {path[-1][:40]!r} is not there"
                yield Fault(header, text, surplus=True)
            continue
        shown = _shown(header, value)
        fault = None if shown is None else _compare(exchange, shown)
        if fault is not None:
            yield fault


def shown_values(request: Message, wanted: Wanted) -> Iterator[Mirrored]:
    """All that headers repeat of a request and that may need an encoding."""
    name = name_of(request)
    if name is not None:
        yield Mirrored(NAME, name)
    for header, path in wanted:
        shown = _shown(header, _at(request.params.get("arguments"), path))
        if shown is not None:
            yield shown


def needs_encoding(value: str) -> bool:
    return not _PLAIN.fullmatch(value) or value != value.strip(" \t") or _SENTINEL.fullmatch(value) is not None


def is_encoded(value: str) -> bool:
    return _SENTINEL.fullmatch(value) is not None


def decode(value: str) -> str | None:
    """The text that a header's value stands for; None if it is none."""
    match = _SENTINEL.fullmatch(value)
    if match is None:
        return value
    try:
        return base64.b64decode(match[1], validate=True).decode("utf-8")
    except ValueError:
        return None


def rely_on_text(*texts: str | None) -> None:
    """What was replaced in a header, but not in the body, or the other way round, cannot be compared."""
    if any(text is not None and _PLACEHOLDER.search(text) for text in texts):
        raise Inconclusive("a value was replaced by a placeholder when it was recorded")


def _compare(exchange: HttpExchange, wanted: Mirrored) -> Fault | None:
    given = exchange.header(wanted.header)
    name = wanted.header[:80]
    if given is None:
        return Fault(wanted.header, f"The POST has no {name}", missing=True)
    text = decode(given)
    if text in (wanted.value, wanted.value.strip(" \t")) or (wanted.number and _same_number(text, wanted.value)):
        return None
    rely_on_text(text, given, wanted.value)
    return Fault(wanted.header, f"{name} is {given[:80]!r}, and the body says {wanted.value[:80]!r}")


def _same_number(text: str | None, value: str) -> bool:
    try:
        return text is not None and Decimal(text.strip()) == Decimal(value)
    except InvalidOperation:
        return False


def _shown(header: str, value: Any) -> Mirrored | None:
    """The value as a header shows it; None for what no header shows."""
    if type(value) is bool:
        return Mirrored(header, "true" if value else "false")
    if type(value) is int:
        return Mirrored(header, str(value), number=True)
    return Mirrored(header, value) if type(value) is str else None


def _at(arguments: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if type(arguments) is not dict:
            return None
        arguments = arguments.get(name)
    return arguments
