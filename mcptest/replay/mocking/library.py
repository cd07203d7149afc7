"""The recording that a mock answers from: turns on shelves, found by what was asked.

The recording is read as far as needed: a request that was recorded early is answered before the rest of a large
recording has been looked at. Each matcher keeps its own shelves, filled when it is first needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from mcptest.protocol import methods
from mcptest.replay.ignoring import ignoring
from mcptest.replay.masks import MaskSet
from mcptest.replay.matchers import DEFAULT, Matcher, chain
from mcptest.replay.mocking.secretive import NAME, Secretive
from mcptest.replay.mocking.shelves import Shelf
from mcptest.replay.turns import STRETCH, Reader, Said, Turn
from mcptest.wire import Frame
from mcptest.wire.message import REQUEST

# What opens a conversation: its params say who the client is, which changes no answer.
OPENING = frozenset({methods.INITIALIZE, methods.DISCOVER, "ping", "logging/setLevel"})


class Library:
    """`masks` is what the matcher that ignores some places of the params ignores."""

    def __init__(self, frames: Iterable[Frame], matchers: tuple[Matcher, ...], masks: MaskSet = MaskSet()) -> None:  # noqa: B008
        self._frames: Iterator[Frame] | None = iter(frames)
        self._reader = Reader()
        self._matchers = matchers
        self._opening = (matchers[0], chain("method-only")[-1])
        self._ignoring = ignoring(masks)
        self._secretive = Secretive(masks if any(matcher.name == DEFAULT for matcher in matchers) else None)
        self._shelves: dict[str, dict[bytes, Shelf]] = {}
        self._filled: dict[str, int] = {}  # by matcher, how many of the turns are on its shelves
        self.turns: list[Turn] = []
        self.notifications: dict[str, list[Turn]] = {}
        self.asked: set[int] = set()  # the seq of every recorded request that was asked for

    def find(self, method: str, params: Any) -> Shelf | None:
        """The shelf for a request, by the strictest matcher that knows it."""
        if method in OPENING:
            return self._first(method, params, self._opening)
        for number, matcher in enumerate(self._matchers):
            shelf = self._first(method, params, (matcher,))
            if shelf is None and not number:
                shelf = self._secretive.find(method, params)
            if shelf is not None:
                return shelf
        return None

    def _first(self, method: str, params: Any, matchers: tuple[Matcher, ...]) -> Shelf | None:
        """The first shelf that one of these knows, reading on until there is one."""
        keys = [(matcher, matcher.key(method, params, self._ignoring)) for matcher in matchers]
        while True:
            for matcher, key in keys:
                self._fill(matcher)
                shelf = None if key is None else self._shelves[matcher.name].get(key)
                if shelf is not None:
                    return shelf
            if all(key is None for _, key in keys) or not self.read_on():
                return None

    def take(self, shelf: Shelf, number: int) -> Turn | None:
        """The turn in this place of a shelf; reads on if it is not there yet."""
        while len(shelf.turns) <= number:
            if not self.read_on():
                return None
            if shelf.matcher != NAME:  # those are filled as the recording is read
                self._fill(next(one for one in self._all_matchers() if one.name == shelf.matcher))
        return shelf.turns[number]

    def add(self, turn: Turn) -> None:
        """A turn that was not recorded until now."""
        self.read_all()
        self.turns.append(turn)

    def read_on(self) -> bool:
        """Read the next stretch of the recording; False when there was nothing left."""
        if self._frames is None:
            return False
        stretch = list(islice(self._frames, STRETCH))
        if stretch:
            found = self._reader.feed(stretch)
        else:
            self._frames = None
            found = self._reader.finish()
        for turn in found:
            if turn.kind == REQUEST:
                self.turns.append(turn)
                self._secretive.add(turn)
            else:
                self.notifications.setdefault(turn.method, []).append(turn)
        return bool(stretch or found)

    def read_all(self) -> None:
        while self.read_on():
            pass

    @property
    def unprompted(self) -> list[Said]:
        if not self.turns and not self.notifications:
            self.read_on()
        return self._reader.unprompted

    def _fill(self, matcher: Matcher) -> None:
        shelves = self._shelves.setdefault(matcher.name, {})
        filled = self._filled.get(matcher.name, 0)
        if filled == len(self.turns):
            return
        for turn in self.turns[filled:]:
            key = matcher.key(turn.method, turn.params, self._ignoring)
            if key is not None:
                shelf = shelves.get(key)
                if shelf is None:
                    shelf = shelves[key] = Shelf(matcher.name, key, [])
                shelf.turns.append(turn)
        self._filled[matcher.name] = len(self.turns)

    def _all_matchers(self) -> Iterable[Matcher]:
        return (*self._matchers, *self._opening)
