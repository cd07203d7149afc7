"""The value fits this JSON Schema: `{maximum: 0}` for a number, `{maxItems: 3}` for a list."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.schemas import SchemaError, Validator
from mcptest.suites.shapes import Schema
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot
from mcptest.suites.targets import MISSING
from mcptest.visible import visible


class Fits(NamedTuple):
    validator: Validator

    def problem(self, value: Any, _: Snapshots) -> str | None:
        if value is MISSING:
            return "not there"
        found = self.validator.problems(value, most=1)
        if not found:
            return None
        place = f" at {found[0].pointer}" if found[0].pointer else ""
        return f"which does not fit the schema{place}: {visible(found[0].message)[:200]}"


class _Shape:
    def read(self, spot: Spot) -> Fits:
        if not isinstance(spot.value, dict | bool):
            raise spot.refuse(f"a JSON Schema is a mapping, not {spot.kind}")
        try:
            return Fits(Validator(spot.value))
        except SchemaError as error:
            raise spot.refuse(f"not a JSON Schema: {error}") from None

    def schema(self) -> Schema:
        return {"type": ["object", "boolean"]}


SHAPE = _Shape()
