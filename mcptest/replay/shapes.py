"""The shape of a JSON value: its types and keys, without its content. Items of a list share one shape.

A shape is the name of a scalar's type, a dict of member shapes, or a list with the shape of all its items; an `Either`
where items differ in type, and a member that some items lack is `Optional`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from mcptest.replay.comparing import INSIDE_TOKEN, Change, Difference, Path, document
from mcptest.replay.masks import Masks
from mcptest.wire.message import json_type

_DEEPEST = 100


class Optional(NamedTuple):
    shape: Any


class Either(NamedTuple):
    shapes: tuple[Any, ...]


def shape_of(value: Any, depth: int = 0) -> Any:
    if depth > _DEEPEST:
        return json_type(value)
    if type(value) is dict:
        return {key: shape_of(member, depth + 1) for key, member in value.items()}
    if type(value) is list:
        merged: list[Any] = []
        for item in value:
            shape = shape_of(item, depth + 1)
            merged = [_merge(merged[0], shape)] if merged else [shape]
        return merged
    if type(value) is str:
        inner = document(value)
        return "string" if inner is None else _Text(shape_of(inner, depth + 1))
    return json_type(value)


class _Text(NamedTuple):
    """A text that holds JSON of this shape."""

    shape: Any


def _merge(one: Any, other: Any) -> Any:
    if one == other:
        return one
    if type(one) is dict and type(other) is dict:
        return {
            key: _merge(_bare(one[key]), _bare(other[key]))
            if key in one and key in other and not _either_optional(one[key], other[key])
            else Optional(_merge_present(one.get(key), other.get(key)))
            for key in {**one, **other}
        }
    if type(one) is list and type(other) is list:
        return [_merge(one[0], other[0])] if one and other else one or other
    if type(one) is _Text and type(other) is _Text:
        return _Text(_merge(one.shape, other.shape))
    if {type(one), type(other)} <= {_Text, str}:
        return "string"
    return Either(tuple(dict.fromkeys((*_choices(one), *_choices(other)))) if _hashable(one, other) else (one, other))


def _either_optional(one: Any, other: Any) -> bool:
    return type(one) is Optional or type(other) is Optional


def _merge_present(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return _bare(other if one is None else one)
    return _merge(_bare(one), _bare(other))


def _bare(shape: Any) -> Any:
    return shape.shape if type(shape) is Optional else shape


def _choices(shape: Any) -> tuple[Any, ...]:
    return shape.shapes if type(shape) is Either else (shape,)


def _hashable(*shapes: Any) -> bool:
    return all(type(choice) is str for shape in shapes for choice in _choices(shape))


def shape_differences(
    recorded: Any, replayed: Any, masks: Masks, path: Path = (), *, additions: bool = True
) -> Iterator[Difference]:
    """Where the shapes of two values differ; new members count only with `additions`."""
    yield from _compare(shape_of(recorded), shape_of(replayed), masks, path, additions)


def _compare(one: Any, other: Any, masks: Masks, path: Path, additions: bool) -> Iterator[Difference]:
    if one == other or masks.hides(path):
        return
    one, other = _bare(one), _bare(other)
    if type(one) is dict and type(other) is dict:
        yield from _members(one, other, masks, path, additions)
    elif type(one) is list and type(other) is list:
        if one and other:
            yield from _compare(one[0], other[0], masks, (*path, "*"), additions)
    elif type(one) is _Text and type(other) is _Text:
        yield from _compare(one.shape, other.shape, masks, (*path, INSIDE_TOKEN), additions)
    elif type(one) is Either:
        if not any(not list(_compare(choice, other, masks, path, additions)) for choice in one.shapes):
            yield Difference(Change.SHAPE, path, say(one), say(other))
    elif say(one) != say(other):
        yield Difference(Change.SHAPE, path, say(one), say(other))


def _members(
    one: dict[str, Any], other: dict[str, Any], masks: Masks, path: Path, additions: bool
) -> Iterator[Difference]:
    for key, shape in one.items():
        here = (*path, key)
        if key in other:
            yield from _compare(shape, other[key], masks, here, additions)
        elif type(shape) is not Optional and not masks.hides(here):
            yield Difference(Change.REMOVED, here, say(shape))
    for key, shape in other.items() if additions else ():
        if key not in one and not masks.hides((*path, key)):
            yield Difference(Change.ADDED, (*path, key), None, say(shape))


def say(shape: Any) -> str:
    """A shape in a word or two."""
    shape = _bare(shape)
    if type(shape) is Either:
        return " or ".join(say(choice) for choice in shape.shapes)
    if type(shape) is str:
        return shape
    return {dict: "object", list: "array", _Text: "string"}[type(shape)]
