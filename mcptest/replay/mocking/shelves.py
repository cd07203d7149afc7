"""Where a mock finds recorded turns."""

from __future__ import annotations

from typing import NamedTuple

from mcptest.replay.turns import Turn


class Shelf(NamedTuple):
    """The turns that one key stands for, in recorded order."""

    matcher: str
    key: bytes
    turns: list[Turn]
