"""Two schemas compared: what the newer one takes away from callers, and what it adds.

For an input, a narrower schema breaks callers: what they send is refused. For an output it is the other way round: a
wider one breaks them, since they get what they never had to handle.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mcptest.analyzers.prose import shown
from mcptest.analyzers.schema import Schema
from mcptest.analyzers.shapes import ANY, Shape, alternatives
from mcptest.jsontext import pointer, same

MOST_PAIRS = 20_000
MOST_LEVELS = 64


class Effect(enum.StrEnum):
    """What a change means for those who call."""

    BREAKING = "breaking"
    RISKY = "risky"
    SAFE = "safe"


class Way(enum.StrEnum):
    """Which way the data goes."""

    INPUT = "input"
    OUTPUT = "output"


class Difference(NamedTuple):
    kind: str
    effect: Effect
    message: str
    within: str
    before: Any = None
    after: Any = None


_NARROWER = {Way.INPUT: Effect.BREAKING, Way.OUTPUT: Effect.SAFE}
_WIDER = {Way.INPUT: Effect.SAFE, Way.OUTPUT: Effect.BREAKING}
# A limit that moves on output rarely reaches a client's own limits, so it is a risk rather than a break.
_LOOSER = {Way.INPUT: Effect.SAFE, Way.OUTPUT: Effect.RISKY}

_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_NOUN = {Way.INPUT: "argument", Way.OUTPUT: "field"}


def compare(old: Any, new: Any, way: Way, where: str) -> Iterator[Difference]:
    """The differences between two whole schemas, `where` being their place inside the tool."""
    yield from _Comparison(Schema(old), Schema(new), way).run(where)


class _Comparison:
    def __init__(self, old: Schema, new: Schema, way: Way) -> None:
        self.old, self.new, self.way = old, new, way
        self._todo: deque[tuple[Any, Any, str, int]] = deque()
        self._seen: set[tuple[int, int]] = set()

    def run(self, where: str) -> Iterator[Difference]:
        self._todo.append((self.old.root, self.new.root, where, 0))
        told: set[tuple[str, str, str]] = set()
        pairs = 0
        while self._todo:
            old, new, within, depth = self._todo.popleft()
            if (id(old), id(new)) in self._seen:
                continue
            self._seen.add((id(old), id(new)))
            pairs += 1
            if pairs > MOST_PAIRS or depth > MOST_LEVELS:
                yield Difference("schema-over-budget", Effect.RISKY, "too large to compare in full", where)
                return
            for found in self._alternatives(old, new, within, depth):
                key = found.kind, found.within, found.message
                if key not in told:
                    told.add(key)
                    yield found

    def _alternatives(self, old: Any, new: Any, within: str, depth: int) -> Iterator[Difference]:
        before, after = _grouped(alternatives(self.old, old)), _grouped(alternatives(self.new, new))
        lost, gained = [name for name in before if name not in after], [name for name in after if name not in before]
        # A number takes every integer, so between the two a type is widened or narrowed rather than changed.
        if "integer" in lost and "number" in after:
            lost.remove("integer")
        if "integer" in gained and "number" in before:
            gained.remove("integer")
        if ANY in before and lost == [ANY]:
            yield self._changed("type-narrowed", _NARROWER, f"takes only {_list(gained)} now", within, old, new)
            return
        if ANY in after and gained == [ANY]:
            yield self._changed("type-widened", _WIDER, "takes any type now", within, old, new)
            return
        if lost and gained:
            message = f"changed its type from {_list(lost)} to {_list(gained)}"
            yield Difference("type-changed", Effect.BREAKING, message, within, lost, gained)
        elif lost:
            yield self._changed("type-narrowed", _NARROWER, f"no longer takes {_list(lost)}", within, lost, None)
        elif gained:
            yield self._changed("type-widened", _WIDER, f"takes {_list(gained)} now", within, None, gained)
        for name in before:
            if name in after:
                yield from self._shapes(before[name], after[name], within, depth)

    def _shapes(self, old: list[Shape], new: list[Shape], within: str, depth: int) -> Iterator[Difference]:
        """Alternatives of one type: equal ones are paired first, the rest in their order. Equal ones are compared all
        the same: what they refer to may differ."""
        rest, others = [], list(new)
        for shape in old:
            twin = next((at for at, other in enumerate(others) if same(shape, other)), None)
            if twin is None:
                rest.append(shape)
            else:
                yield from self._facets(shape, others.pop(twin), within, depth)
        for one, other in zip(rest, others, strict=False):
            yield from self._facets(one, other, within, depth)
        if len(old) > 1 or len(new) > 1:
            if len(rest) > len(others):
                yield self._changed("type-narrowed", _NARROWER, "has fewer alternatives now", within, None, None)
            elif len(others) > len(rest):
                yield self._changed("type-widened", _WIDER, "has more alternatives now", within, None, None)

    def _facets(self, old: Shape, new: Shape, within: str, depth: int) -> Iterator[Difference]:
        yield from self._values(old, new, within)
        yield from self._limits(old, new, within)
        yield from self._properties(old, new, within, depth)
        yield from self._rest(old, new, within, depth)
        for keyword in ("items", "contains"):
            if _is_schema(old.get(keyword)) or _is_schema(new.get(keyword)):
                self._later(old.get(keyword, True), new.get(keyword, True), within + pointer(keyword), depth)
        places = zip(_list_of(old.get("prefixItems")), _list_of(new.get("prefixItems")), strict=False)
        for at, (one, other) in enumerate(places):
            self._later(one, other, within + pointer("prefixItems", at), depth)

    def _values(self, old: Shape, new: Shape, within: str) -> Iterator[Difference]:
        before, after = _enumerated(old), _enumerated(new)
        if before is None and after is None:
            return
        if before is None:
            message = f"takes only {_list(after or [])} now"
            yield self._changed("enum-narrowed", _NARROWER, message, within, None, after)
        elif after is None:
            yield self._changed(
                "enum-widened", _WIDER, "takes other values than the listed ones now", within, before, None
            )
        else:
            lost = [value for value in before if not any(same(value, other) for other in after)]
            gained = [value for value in after if not any(same(value, other) for other in before)]
            if lost:
                yield self._changed("enum-narrowed", _NARROWER, f"no longer takes {_list(lost)}", within, lost, None)
            if gained:
                yield self._changed("enum-widened", _WIDER, f"takes {_list(gained)} now", within, None, gained)

    def _limits(self, old: Shape, new: Shape, within: str) -> Iterator[Difference]:
        for keyword in (*_UPPER, *_LOWER):
            before, after = _number(old.get(keyword)), _number(new.get(keyword))
            if before == after:
                continue
            upper = keyword in _UPPER
            tighter = before is None or (after is not None and (after < before if upper else after > before))
            kind, effects = ("bound-tightened", _NARROWER) if tighter else ("bound-loosened", _LOOSER)
            message = f"{keyword} went from {_say(before)} to {_say(after)}"
            yield self._changed(kind, effects, message, within + pointer(keyword), before, after)
        for keyword in ("pattern", "format", "multipleOf", "uniqueItems", "contentEncoding", "contentMediaType"):
            before, after = old.get(keyword), new.get(keyword)
            if same(before, after):
                continue
            at = within + pointer(keyword)
            if before in (None, False):
                # A format is an annotation unless a validator is told to assert it.
                effects = {**_NARROWER, Way.INPUT: Effect.RISKY} if keyword == "format" else _NARROWER
                yield self._changed("bound-tightened", effects, f"{keyword} is demanded now", at, before, after)
            elif after in (None, False):
                yield self._changed("bound-loosened", _LOOSER, f"{keyword} is no longer demanded", at, before, after)
            else:
                yield Difference("bound-changed", Effect.RISKY, f"{keyword} changed", at, before, after)

    def _properties(self, old: Shape, new: Shape, within: str, depth: int) -> Iterator[Difference]:
        before, after = _mapping(old.get("properties")), _mapping(new.get("properties"))
        needed_before, needed_after = _names(old.get("required")), _names(new.get("required"))
        noun, taken = _NOUN[self.way], self.way is Way.INPUT
        for name in before:
            at = within + pointer("properties", name)
            if name not in after:
                message = f"{noun} {shown(name)} was removed"
                yield Difference(f"{noun}-removed", Effect.BREAKING, message, at, before[name], None)
                continue
            if name in needed_after and name not in needed_before:
                effect = Effect.BREAKING if taken else Effect.SAFE
                yield Difference(f"{noun}-required", effect, f"{noun} {shown(name)} is required now", at)
            elif name in needed_before and name not in needed_after:
                effect = Effect.SAFE if taken else Effect.BREAKING
                yield Difference(f"{noun}-optional", effect, f"{noun} {shown(name)} is optional now", at)
            self._later(before[name], after[name], at, depth)
        for name in after:
            if name in before:
                continue
            at = within + pointer("properties", name)
            if taken and name in needed_after:
                message = f"new {noun} {shown(name)} is required"
                yield Difference(f"{noun}-added-required", Effect.BREAKING, message, at, None, after[name])
            else:
                yield Difference(f"{noun}-added", Effect.SAFE, f"new {noun} {shown(name)}", at, None, after[name])
        declared = {*before, *after}
        for name in sorted(needed_after - needed_before - declared):
            effect = Effect.BREAKING if taken else Effect.SAFE
            yield Difference(f"{noun}-required", effect, f"{noun} {shown(name)} is required now", within + "/required")

    def _rest(self, old: Shape, new: Shape, within: str, depth: int) -> Iterator[Difference]:
        """What becomes of properties that are not declared, and remarks beside the constraints."""
        before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
        at = within + "/additionalProperties"
        if isinstance(before, dict) and isinstance(after, dict):
            self._later(before, after, at, depth)
        elif not same(before, after):
            closed = after is False or (isinstance(after, dict) and before is not False)
            if closed:
                effect = Effect.RISKY if self.way is Way.INPUT else Effect.SAFE
                yield Difference("object-closed", effect, "undeclared fields are no longer accepted", at, before, after)
            else:
                effect = Effect.SAFE if self.way is Way.INPUT else Effect.RISKY
                yield Difference("object-opened", effect, "undeclared fields are accepted now", at, before, after)
        if ("default" in old) != ("default" in new) or not same(old.get("default"), new.get("default")):
            effect = Effect.RISKY if self.way is Way.INPUT else Effect.SAFE
            message = f"default went from {_say(old.get('default'))} to {_say(new.get('default'))}"
            yield Difference(
                "default-changed", effect, message, within + "/default", old.get("default"), new.get("default")
            )
        if depth and not same(old.get("description"), new.get("description")):
            at = within + "/description"
            yield Difference(
                "parameter-description-changed",
                Effect.SAFE,
                "the description changed",
                at,
                old.get("description"),
                new.get("description"),
            )

    def _later(self, old: Any, new: Any, within: str, depth: int) -> None:
        if isinstance(old, dict | bool) and isinstance(new, dict | bool):
            self._todo.append((old, new, within, depth + 1))

    def _changed(
        self, kind: str, effects: Mapping[Way, Effect], message: str, within: str, before: Any, after: Any
    ) -> Difference:
        return Difference(kind, effects[self.way], message, within, before, after)


def _grouped(found: Sequence[tuple[str, Shape]]) -> dict[str, list[Shape]]:
    groups: dict[str, list[Shape]] = {}
    for name, shape in found:
        groups.setdefault(name, []).append(shape)
    for name, shapes in groups.items():
        values = [_enumerated(shape) for shape in shapes]
        if len(shapes) > 1 and all(value is not None for value in values):
            groups[name] = [{"enum": [value for listed in values for value in listed or ()]}]
    return groups


def _enumerated(shape: Shape) -> list[Any] | None:
    if "const" in shape:
        return [shape["const"]]
    return shape["enum"] if isinstance(shape.get("enum"), list) else None


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _names(value: Any) -> set[str]:
    return {name for name in value if isinstance(name, str)} if isinstance(value, list) else set()


def _list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _say(value: Any) -> str:
    return "none" if value is None else shown(value) if isinstance(value, str) else str(value)[:60]


def _list(values: Sequence[Any]) -> str:
    return ", ".join(map(_say, values[:6])) + (", …" if len(values) > 6 else "")
