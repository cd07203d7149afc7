"""The matcher in it does not match; a value that is not there is matched by none."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.suites import matchers
from mcptest.suites.shapes import Schema
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot


class Not(NamedTuple):
    inner: matchers.Matcher
    text: str

    def problem(self, value: Any, snapshots: Snapshots) -> str | None:
        return f"which it must not be ({self.text})" if self.inner.problem(value, snapshots) is None else None


class _Shape:
    def read(self, spot: Spot) -> Not:
        inner = matchers.Matching().read(spot)
        if "snapshot" in spot.value:
            raise spot.refuse("a snapshot cannot be negated")
        from mcptest.suites.showing import shown

        return Not(inner, f"not {shown(spot.value)}")

    def schema(self) -> Schema:
        return matchers.REFERENCE


SHAPE = _Shape()
