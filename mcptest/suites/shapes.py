"""What may stand in a suite's file. A shape reads a place into a value, and says the same to editors as a JSON Schema:
one declaration for both, so that they cannot drift apart.

Reading goes on after a mistake as far as it makes sense, so that all of them are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

from mcptest.suites.spots import Mistake, Mistakes, Spot, suggestion

# What stands for a variable is a text until it is filled in, wherever it stands.
_VARIABLE = {"type": "string", "pattern": r"\$\{"}

Schema = dict[str, Any]


class Shape(Protocol):
    def read(self, spot: Spot) -> Any:
        """The value that stands there; Mistakes if it is none of this shape."""

    def schema(self) -> Schema:
        """The same for editors."""


@dataclass(frozen=True)
class Text:
    """Not empty, and one of `choices` where there are some."""

    choices: Sequence[str] = ()

    def read(self, spot: Spot) -> str:
        if not isinstance(spot.value, str) or not spot.value:
            raise spot.refuse(f"expected a text, found {spot.kind if spot.value != '' else 'an empty one'}")
        if self.choices and spot.value not in self.choices:
            raise spot.refuse(f"{spot.value!r} is none of these{suggestion(spot.value, self.choices)}")
        return spot.value

    def schema(self) -> Schema:
        if self.choices:
            return {"enum": list(self.choices)}
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True)
class Number:
    least: float = 0
    whole: bool = False
    above: bool = False  # the least itself is too little

    def read(self, spot: Spot) -> Any:
        kinds = (int,) if self.whole else (int, float)
        if type(spot.value) not in kinds:
            raise spot.refuse(f"expected a {'whole ' if self.whole else ''}number, found {spot.kind}")
        if spot.value < self.least or (self.above and spot.value == self.least):
            raise spot.refuse(f"{spot.value} is too little: {'more than' if self.above else 'at least'} {self.least:g}")
        return spot.value

    def schema(self) -> Schema:
        bound = "exclusiveMinimum" if self.above else "minimum"
        return {"anyOf": [{"type": "integer" if self.whole else "number", bound: self.least}, _VARIABLE]}


@dataclass(frozen=True)
class Flag:
    def read(self, spot: Spot) -> bool:
        if type(spot.value) is not bool:
            raise spot.refuse(f"expected true or false, found {spot.kind}")
        return spot.value

    def schema(self) -> Schema:
        return {"anyOf": [{"type": "boolean"}, _VARIABLE]}


@dataclass(frozen=True)
class Anything:
    """Any JSON value, as it is."""

    kind: str | None = None

    def read(self, spot: Spot) -> Any:
        if self.kind == "object" and not isinstance(spot.value, dict):
            raise spot.refuse(f"expected a mapping, found {spot.kind}")
        return spot.value

    def schema(self) -> Schema:
        return {"type": self.kind} if self.kind else {}


@dataclass(frozen=True)
class Listing:
    """Things of one shape; with `lone`, one of them may stand without the list."""

    of: Shape
    lone: bool = False
    some: bool = True  # at least one

    def read(self, spot: Spot) -> tuple[Any, ...]:
        if self.lone and not isinstance(spot.value, list):
            return (self.of.read(spot),)
        if not isinstance(spot.value, list):
            raise spot.refuse(f"expected a list, found {spot.kind}")
        if self.some and not spot.value:
            raise spot.refuse("an empty list: leave it out, or put something into it")
        return tuple(together([_later(self.of, item) for item in spot.items()]))

    def schema(self) -> Schema:
        many: Schema = {"type": "array", "items": self.of.schema()} | ({"minItems": 1} if self.some else {})
        return {"anyOf": [self.of.schema(), many]} if self.lone else many


@dataclass(frozen=True)
class Table:
    """Names of the author's choice, each with a value of one shape."""

    of: Shape

    def read(self, spot: Spot) -> dict[str, Any]:
        if not isinstance(spot.value, dict):
            raise spot.refuse(f"expected a mapping of names, found {spot.kind}")
        return dict(zip(spot.value, together([_later(self.of, spot.at(name)) for name in spot.value]), strict=True))

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.of.schema()}


class Field(NamedTuple):
    """A key of a record; `help` is for editors."""

    shape: Shape
    help: str
    needed: bool = False


@dataclass(frozen=True)
class Record:
    """A mapping with known keys. `make` turns what was read into the noun that it stands for."""

    fields: Mapping[str, Field]
    make: Callable[[dict[str, Any], Spot], Any] = field(default=lambda found, _: found)
    more: Schema = field(default_factory=dict)  # what else the editors' schema says

    def read(self, spot: Spot) -> Any:
        if not isinstance(spot.value, dict):
            raise spot.refuse(f"expected a mapping with {', '.join(self.fields)}, found {spot.kind}")
        work: list[Callable[[], Any]] = [
            _unknown(spot, key, self.fields) for key in spot.value if key not in self.fields
        ]
        work += [_lacking(spot, key) for key, one in self.fields.items() if one.needed and key not in spot.value]
        keys = [key for key in spot.value if key in self.fields]
        found = together([*work, *(_later(self.fields[key].shape, spot.at(key)) for key in keys)])
        return self.make(dict(zip(keys, found, strict=True)), spot)

    def schema(self) -> Schema:
        properties = {key: {**one.shape.schema(), "description": one.help} for key, one in self.fields.items()}
        needed = [key for key, one in self.fields.items() if one.needed]
        said: Schema = {"type": "object", "properties": properties, "additionalProperties": False, **self.more}
        return said | ({"required": needed} if needed else {})


def _unknown(spot: Spot, key: str, known: Mapping[str, Any]) -> Callable[[], Any]:
    def complain() -> Any:
        raise spot.refuse_key(key, f"unknown key {key!r}{suggestion(key, list(known))}")

    return complain


def _lacking(spot: Spot, key: str) -> Callable[[], Any]:
    def complain() -> Any:
        raise spot.refuse(f"{key!r} is missing")

    return complain


def _later(shape: Shape, spot: Spot) -> Callable[[], Any]:
    return partial(shape.read, spot)


def together(work: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each piece of work gives; all their mistakes together if there are some."""
    done: list[Any] = []
    mistakes: list[Mistake] = []
    for piece in work:
        try:
            done.append(piece())
        except Mistakes as error:
            mistakes += error.found
    if mistakes:
        raise Mistakes(mistakes)
    return done
