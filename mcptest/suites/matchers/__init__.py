"""Matchers: what an expectation demands of a value. Each is a module, named as it is in suites, with `SHAPE`, which
reads its argument into something that has a method `problem`.

`problem` says what is wrong with a value, as it would follow `the target is 5, `, or None if nothing is.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, Protocol

from mcptest import plugins
from mcptest.suites.shapes import Schema
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot, suggestion

REFERENCE = {"$ref": "#/$defs/matcher"}


class Matcher(Protocol):
    def problem(self, value: Any, snapshots: Snapshots) -> str | None: ...


@cache
def known() -> dict[str, ModuleType]:
    """By the name that suites use; a trailing underscore is Python's."""
    return {name.rstrip("_"): plugins.load(__name__, name) for name in plugins.names(__name__)}


class Matching:
    """The shape of a matcher: a mapping with exactly one of the names."""

    def read(self, spot: Spot) -> Matcher:
        names = list(known())
        if not isinstance(spot.value, dict):
            raise spot.refuse(f"a matcher is a mapping such as {{exact: 5}}, not {spot.kind}")
        for name in spot.value:
            if name not in names:
                raise spot.refuse_key(name, f"unknown matcher {name!r}{suggestion(name, names)}")
        if len(spot.value) != 1:
            raise spot.refuse(f"a matcher is exactly one of {', '.join(names)}; combine several with any_of")
        (name,) = spot.value
        found: Matcher = known()[name].SHAPE.read(spot.at(name))
        return found

    def schema(self) -> Schema:
        return REFERENCE


def definition() -> Schema:
    """What `#/$defs/matcher` stands for."""
    summaries = {name: (module.__doc__ or "").strip().partition("\n")[0] for name, module in known().items()}
    return {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
        "properties": {
            name: {**module.SHAPE.schema(), "description": summaries[name]} for name, module in known().items()
        },
    }
