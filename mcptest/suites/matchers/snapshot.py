"""The value is the one in this JSON file beside the suite; `mcptest run --update-snapshots` writes it."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any, NamedTuple

from mcptest.jsontext import same
from mcptest.suites.shapes import Schema, Text
from mcptest.suites.showing import difference
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot
from mcptest.suites.targets import MISSING


class Snapshot(NamedTuple):
    file: str

    def problem(self, value: Any, snapshots: Snapshots) -> str | None:
        if value is MISSING:
            return "not there"
        if snapshots.update:
            snapshots.put(self.file, value)
            return None
        kept = snapshots.get(self.file)
        if kept is MISSING:
            return f"and there is no snapshot {self.file} yet: write it with --update-snapshots"
        if same(value, kept):
            return None
        return f"which is not the snapshot {self.file}{difference(kept, value)} (accept it with --update-snapshots)"


class _Shape:
    def read(self, spot: Spot) -> Snapshot:
        name: str = Text().read(spot)
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\0" in name or path.suffix != ".json":
            raise spot.refuse(f"{name!r}: a snapshot is a .json file beside the suite or below it")
        return Snapshot(name)

    def schema(self) -> Schema:
        return {"type": "string", "pattern": r"^[^/].*\.json$"}


SHAPE = _Shape()
