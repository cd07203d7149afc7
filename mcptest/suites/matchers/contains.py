"""The text has this text in it, the list this item, or the mapping these members."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.jsontext import same
from mcptest.suites.shapes import Schema
from mcptest.suites.showing import shown
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot


class Contains(NamedTuple):
    wanted: Any

    def problem(self, value: Any, _: Snapshots) -> str | None:
        return None if _holds(value, self.wanted) else f"which does not contain {shown(self.wanted)}"


def _holds(value: Any, wanted: Any) -> bool:
    if isinstance(value, str):
        return isinstance(wanted, str) and wanted in value
    if isinstance(value, list):
        return any(same(item, wanted) for item in value)
    if isinstance(value, dict) and isinstance(wanted, dict):
        return all(key in value and same(value[key], wanted[key]) for key in wanted)
    return False


class _Shape:
    def read(self, spot: Spot) -> Contains:
        return Contains(spot.value)

    def schema(self) -> Schema:
        return {}


SHAPE = _Shape()
