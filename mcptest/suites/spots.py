"""A place in a suite's file, with the value that stands there: whoever refuses a value says where it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from mcptest.errors import UsageError
from mcptest.jsontext import pointer
from mcptest.yamltext import Document

_PLACED = re.compile(r"(.*?):(\d+):(\d+): (.*)", re.DOTALL)
_KINDS = {dict: "a mapping", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}


class Mistake(NamedTuple):
    """One thing that is wrong in a suite, at a line and column of its file."""

    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.text}"


class Mistakes(UsageError):  # noqa: N818 -- it is what it holds
    """All mistakes of a suite, in the order of its lines; as one line it tells the first."""

    def __init__(self, found: Iterable[Mistake]) -> None:
        self.found = tuple(sorted(set(found)))
        first, rest = self.found[0], len(self.found) - 1
        more = f" (and {rest} more: mcptest validate {first.file})" if rest else ""
        super().__init__(f"{first}{more}")


class Spot(NamedTuple):
    """`path` leads to `value` in the document."""

    document: Document
    path: tuple[str | int, ...]
    value: Any

    def at(self, key: str | int) -> Spot:
        return Spot(self.document, (*self.path, key), self.value[key])

    def items(self) -> Iterator[Spot]:
        return (self.at(number) for number in range(len(self.value)))

    @property
    def kind(self) -> str:
        return _KINDS.get(type(self.value), "nothing")

    @property
    def position(self) -> tuple[int, int]:
        return self.document.position(pointer(*self.path))

    @property
    def where(self) -> str:
        return self.document.where(pointer(*self.path))

    def refuse(self, why: str) -> Mistakes:
        """To be raised: this value cannot be taken."""
        return Mistakes([Mistake(self.document.name, *self.position, why)])

    def refuse_key(self, key: str, why: str) -> Mistakes:
        """To be raised: this key of the mapping cannot be taken."""
        place = pointer(*self.path, key)
        line, column = self.document.keys.get(place) or self.document.position(place)
        return Mistakes([Mistake(self.document.name, line, column, why)])


def taken_over(error: UsageError, spot: Spot) -> Mistakes:
    """To be raised: what another reader of this file refused. It names the place in the same words as we do; where it
    names none, that is the spot's."""
    found = _PLACED.match(str(error))
    if found is None or found[1] != spot.document.name:
        return spot.refuse(str(error))
    return Mistakes([Mistake(found[1], int(found[2]), int(found[3]), found[4])])


def suggestion(name: str, known: Sequence[str]) -> str:
    """` (did you mean X?)`, or what there is."""
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else f" (known: {', '.join(known)})"
