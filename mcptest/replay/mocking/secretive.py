"""Recorded requests whose secrets were redacted. A live client sends the secrets themselves, or others, in their place,
so that these requests are not found by a key: they are compared, and a placeholder stands for anything."""

from __future__ import annotations

from typing import Any

from mcptest.protocol import NAMES
from mcptest.replay.canonical import canonical, without_meta
from mcptest.replay.comparing import differences
from mcptest.replay.masks import MaskSet
from mcptest.replay.mocking.shelves import Shelf
from mcptest.replay.redacted import placeholders
from mcptest.replay.turns import Turn

NAME = "redacted"
_SIGNS = ("redacted", "4040404")  # one of them is in every placeholder
_STRICT = MaskSet((), ())


class Secretive:
    """`masks` are tried where no request is the same but for its secrets; None where they must not be."""

    def __init__(self, masks: MaskSet | None) -> None:
        self._tries = (_STRICT,) if masks is None else (_STRICT, masks)
        self._shelves: dict[str, dict[bytes, Shelf]] = {}  # by method, then by recorded params

    def add(self, turn: Turn) -> None:
        if not any(sign in turn.raw for sign in _SIGNS):
            return
        params = without_meta(turn.params)
        if placeholders(params):
            key = canonical(params)
            shelves = self._shelves.setdefault(turn.method, {})
            shelves.setdefault(key, Shelf(NAME, turn.method.encode() + b" " + key, [])).turns.append(turn)

    def find(self, method: str, params: Any) -> Shelf | None:
        known = self._shelves.get(method)
        if known is None:
            return None
        asked = without_meta(params)
        name = asked.get(NAMES.get(method, "")) if type(asked) is dict else None
        for masks in self._tries:
            hidden = masks.of(method, name if type(name) is str else None)
            for shelf in known.values():
                recorded = without_meta(shelf.turns[0].params)
                if not any(differences({"params": recorded}, {"params": asked}, hidden)):
                    return shelf
        return None
