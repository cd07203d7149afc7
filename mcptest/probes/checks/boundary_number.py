"""Sends numbers at and beyond the edges.

A number beyond a declared `minimum` or `maximum` must be refused: with a JSON-RPC error, or with an `isError` result.
Where the schema draws no line, numbers that break careless arithmetic are sent (2⁵³+1, the ends of 64 bits, 1e308);
there any answer will do, as long as there is one.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from mcptest.probes.examples import type_of
from mcptest.probes.subject import Skip, Spoilt, Subject

TAXONOMY = "FAULT-INPUT-BOUNDARY"
_BELOW, _ABOVE = ("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")
_WHOLE = (2**53 + 1, 2**63 - 1, -(2**63), 0, -1)
_BROKEN = (1e308, -1e308, 5e-324, 0, -1)


def spoil(subject: Subject) -> Iterator[Spoilt]:
    numbers = [(name, schema) for name, schema in subject.properties if type_of(schema) in ("integer", "number")]
    if not numbers:
        raise Skip("it takes no number")
    softer: list[Spoilt] = []
    for name, schema in numbers:
        for value in _beyond(schema):
            arguments = subject.with_(name, value)
            if subject.refuses(arguments):
                yield Spoilt(arguments, f"a call with {value!r} as {name!r}, which is out of range")
        for value in _WHOLE if type_of(schema) == "integer" else _BROKEN:
            arguments = subject.with_(name, value)
            if not subject.refuses(arguments):
                softer.append(Spoilt(arguments, f"a call with {value!r} as {name!r}", strict=False))
    yield from softer


def _beyond(schema: Mapping[str, Any]) -> Iterator[float]:
    for keys, step in ((_BELOW, -1), (_ABOVE, 1)):
        edges = [schema[key] for key in keys if isinstance(schema.get(key), int | float)]
        yield from (edge + step for edge in edges[:1])
