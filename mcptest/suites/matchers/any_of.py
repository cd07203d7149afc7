"""One of the matchers in the list matches."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.suites import matchers
from mcptest.suites.shapes import Listing, Schema
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot


class AnyOf(NamedTuple):
    inner: tuple[matchers.Matcher, ...]

    def problem(self, value: Any, snapshots: Snapshots) -> str | None:
        problems = []
        for one in self.inner:
            problem = one.problem(value, snapshots)
            if problem is None:
                return None
            problems.append(problem)
        return " and ".join(problems)


class _Shape:
    def read(self, spot: Spot) -> AnyOf:
        return AnyOf(Listing(matchers.Matching()).read(spot))

    def schema(self) -> Schema:
        return {"type": "array", "minItems": 1, "items": matchers.REFERENCE}


SHAPE = _Shape()
