"""A set of JSON-RPC ids that stays small: most peers count upwards, so whole numbers are kept as ranges."""

from __future__ import annotations

from bisect import bisect_right

from mcptest.wire import Id

# Numbers without order would make ever more ranges; beyond this many they are remembered as other ids are.
_MOST_RANGES = 4096


class Ids:
    __slots__ = ("_first", "_last", "_others")

    def __init__(self) -> None:
        self._first: list[int] = []  # the ranges' first and last members, in order
        self._last: list[int] = []
        self._others: set[int] = set()  # digests: ids may be long, and there may be a million

    def __contains__(self, identity: Id) -> bool:
        number = _number(identity)
        if number is not None:
            place = bisect_right(self._first, number) - 1
            if place >= 0 and number <= self._last[place]:
                return True
        return hash(identity) in self._others

    def add(self, identity: Id) -> None:
        number = _number(identity)
        if number is None:
            self._others.add(hash(identity))
            return
        first, last = self._first, self._last
        place = bisect_right(first, number) - 1
        if place >= 0 and number <= last[place]:
            return
        joins_left = place >= 0 and last[place] == number - 1
        joins_right = place + 1 < len(first) and first[place + 1] == number + 1
        if joins_left and joins_right:
            last[place] = last[place + 1]
            del first[place + 1], last[place + 1]
        elif joins_left:
            last[place] = number
        elif joins_right:
            first[place + 1] = number
        elif len(first) >= _MOST_RANGES:
            self._others.add(hash(identity))
        else:
            first.insert(place + 1, number)
            last.insert(place + 1, number)


def _number(identity: Id) -> int | None:
    if identity.type != "number" or len(identity.text) > 18:
        return None
    text = identity.text
    return int(text) if text.isdecimal() and text.isascii() and (text[0] != "0" or len(text) == 1) else None
