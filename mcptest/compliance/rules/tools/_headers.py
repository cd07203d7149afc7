"""`x-mcp-header`: the arguments that a tool wants to have repeated in HTTP headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mcptest.compliance.kit import a, pointer

KEY = "x-mcp-header"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_PRIMITIVE = ("integer", "string", "boolean")
# Where JSON Schema holds further schemas: one, a list of them, or a map of names to them.
_ONE = (
    "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
    "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
_LISTS = ("allOf", "anyOf", "items", "oneOf", "prefixItems")
_MAPS = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")


class Annotation(NamedTuple):
    """`path` leads from the arguments to the value, `at` is the pointer into the schema; `reachable`: only names of
    properties lie between the root and it."""

    header: Any
    schema: dict[str, Any]
    path: tuple[str, ...]
    at: str
    reachable: bool


class Fault(NamedTuple):
    text: str
    at: str
    grave: bool = True


def mirrored(schema: Any) -> Iterator[Annotation]:
    """Every annotation in a tool's input schema. A property that is itself called `x-mcp-header` is none."""
    todo: list[tuple[Any, tuple[str, ...], str, bool]] = [(schema, (), "", True)]
    while todo:
        here, path, at, reachable = todo.pop()
        if type(here) is not dict:
            continue
        if KEY in here:
            yield Annotation(here[KEY], here, path, at, reachable and bool(path))
        todo += [(here[key], path, at + pointer(key), False) for key in _ONE if key in here]
        for key in _LISTS:
            if type(here.get(key)) is list:
                todo += [(one, path, at + pointer(key, number), False) for number, one in enumerate(here[key])]
        for key in _MAPS:
            if type(here.get(key)) is dict:
                plain = reachable and key == "properties"
                todo += [(one, (*path, name), at + pointer(key, name), plain) for name, one in here[key].items()]


def faults(schema: Any) -> Iterator[Fault]:
    """What is wrong with the annotations of a tool's input schema."""
    seen: dict[str, str] = {}
    for header, here, _, at, reachable in sorted(mirrored(schema), key=lambda one: one.at):
        where = at + pointer(KEY)
        if type(header) is not str:
            yield Fault(f"{KEY} is {a(header)}, not a string", where)
        elif not _TOKEN.fullmatch(header):
            yield Fault(f"{KEY} is {header[:80]!r}, which is no name of an HTTP header", where)
        elif header.lower() in seen:
            yield Fault(f"The header {header[:80]!r} is also that of {seen[header.lower()]}", where)
        else:
            seen[header.lower()] = at or "the root"
        if not reachable:
            yield Fault(f"{KEY} stands where no chain of properties leads", where)
        kind = here.get("type")
        if type(kind) is str and kind not in _PRIMITIVE:
            yield Fault(f"{KEY} is on a property of the type {kind[:40]!r}", where)
        elif type(kind) is not str:
            yield Fault(f"{KEY} is on a property that is not of one type", where, grave=False)
