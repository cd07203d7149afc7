"""The value is this one, at any depth; `true` is not `1`, and `1` is `1.0`."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.jsontext import same
from mcptest.suites.shapes import Schema
from mcptest.suites.showing import shown
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot
from mcptest.suites.targets import MISSING


class Exact(NamedTuple):
    wanted: Any

    def problem(self, value: Any, _: Snapshots) -> str | None:
        return None if value is not MISSING and same(value, self.wanted) else f"not {shown(self.wanted)}"


class _Shape:
    def read(self, spot: Spot) -> Exact:
        return Exact(spot.value)

    def schema(self) -> Schema:
        return {}


SHAPE = _Shape()
