"""The text has a match of this regular expression in it; anchor it with `^` and `$` for all of the text."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.schemas import Pattern, SchemaError
from mcptest.suites.shapes import Schema
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot


class Regex(NamedTuple):
    pattern: Pattern
    text: str

    def problem(self, value: Any, _: Snapshots) -> str | None:
        if not isinstance(value, str):
            return "which is no text"
        return None if self.pattern.is_in(value) else f"which does not match {self.text!r}"


class _Shape:
    def read(self, spot: Spot) -> Regex:
        if not isinstance(spot.value, str):
            raise spot.refuse(f"expected a regular expression, found {spot.kind}")
        try:
            return Regex(Pattern(spot.value), spot.value)
        except SchemaError as error:
            raise spot.refuse(f"{error}: it has no lookaround and no back references") from None

    def schema(self) -> Schema:
        return {"type": "string", "format": "regex"}


SHAPE = _Shape()
