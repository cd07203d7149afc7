"""How two JSON values differ, structurally, after masks.

Lists are aligned before they are compared: things with a name are matched by it, others by what they are, so that one
inserted item is one difference. A text that holds JSON on both sides is compared as JSON; its inside is entered with
`#` in a pointer.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import orjson

from mcptest.jsontext import pointer, same
from mcptest.replay.canonical import canonical
from mcptest.replay.masks import Masks
from mcptest.wire.message import json_type

_DEEPEST = 120  # below this, values are compared as wholes
_IDENTITIES = ("name", "uri", "uriTemplate", "id", "key")
_LONGEST_ALIGNED = 2000  # longer lists are compared place by place
INSIDE = "#"

Path = tuple[str | int, ...]


class Change(enum.StrEnum):
    """SHAPE is another JSON type in the same place; CONTENT another value of the same type."""

    ADDED = "added"
    REMOVED = "removed"
    CONTENT = "content"
    SHAPE = "shape"
    ORDER = "order"


class Difference(NamedTuple):
    """At `path` of the answer; `recorded` or `replayed` is None where it is not there."""

    change: Change
    path: Path
    recorded: Any = None
    replayed: Any = None

    @property
    def pointer(self) -> str:
        return pointer_of(self.path)


def pointer_of(path: Path) -> str:
    parts: list[list[str | int]] = [[]]
    for token in path:
        if token is INSIDE_TOKEN:
            parts.append([])
        else:
            parts[-1].append(token)
    return INSIDE.join(pointer(*part) for part in parts)


class _Inside(str):
    """The step into JSON that stands in a text; equal to `#`, and yet not a key of that name."""

    __slots__ = ()


INSIDE_TOKEN = _Inside(INSIDE)


def differences(recorded: Any, replayed: Any, masks: Masks, path: Path = ()) -> Iterator[Difference]:
    """All of them, in the order of the recorded value."""
    if masks.hides(path):
        return
    if len(path) > _DEEPEST:
        if not same(recorded, replayed):
            yield Difference(Change.CONTENT, path, recorded, replayed)
    elif type(recorded) is dict and type(replayed) is dict:
        yield from _objects(recorded, replayed, masks, path)
    elif type(recorded) is list and type(replayed) is list:
        yield from _lists(recorded, replayed, masks, path)
    elif not _scalars_same(recorded, replayed):
        yield from _scalars(recorded, replayed, masks, path)


def _objects(recorded: dict[str, Any], replayed: dict[str, Any], masks: Masks, path: Path) -> Iterator[Difference]:
    for key, value in recorded.items():
        here = (*path, key)
        if key in replayed:
            yield from differences(value, replayed[key], masks, here)
        elif not masks.hides(here):
            yield Difference(Change.REMOVED, here, value)
    for key, value in replayed.items():
        here = (*path, key)
        if key not in recorded and not masks.hides(here):
            yield Difference(Change.ADDED, here, None, value)


def _scalars_same(one: Any, other: Any) -> bool:
    if type(one) is type(other):
        return bool(one == other)
    return type(one) in (int, float) and type(other) in (int, float) and one == other


def _scalars(recorded: Any, replayed: Any, masks: Masks, path: Path) -> Iterator[Difference]:
    if type(recorded) is str and type(replayed) is str:
        inner, other = document(recorded), document(replayed)
        if inner is not None and other is not None:
            yield from differences(inner, other, masks, (*path, INSIDE_TOKEN))
            return
    if masks.same(path, recorded, replayed):
        return
    alike = json_type(recorded) == json_type(replayed)
    yield Difference(Change.CONTENT if alike else Change.SHAPE, path, recorded, replayed)


def document(text: str) -> Any:
    """The JSON object or array that a text holds, None if it holds none."""
    if text[:1] not in "{[" and text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if type(value) in (dict, list) else None


# ---- lists


def _lists(recorded: list[Any], replayed: list[Any], masks: Masks, path: Path) -> Iterator[Difference]:
    if max(len(recorded), len(replayed)) > _LONGEST_ALIGNED:
        yield from _by_place(recorded, replayed, masks, path)
        return
    identify = _identity(recorded, replayed)
    if identify is not None:
        yield from _by_identity(recorded, replayed, identify, masks, path)
    else:
        yield from _by_likeness(recorded, replayed, masks, path)


def _by_place(recorded: list[Any], replayed: list[Any], masks: Masks, path: Path) -> Iterator[Difference]:
    both = min(len(recorded), len(replayed))
    for index in range(both):
        yield from differences(recorded[index], replayed[index], masks, (*path, index))
    yield from _only(Change.REMOVED, recorded, range(both, len(recorded)), masks, path)
    yield from _only(Change.ADDED, replayed, range(both, len(replayed)), masks, path)


def _identity(recorded: list[Any], replayed: list[Any]) -> Callable[[Any], str] | None:
    """What names the items of both lists, if something does."""
    if not recorded or not replayed:
        return None
    for key in _IDENTITIES:
        if _names_all(recorded, key) and _names_all(replayed, key):
            shared = {item[key] for item in recorded} & {item[key] for item in replayed}
            if shared:
                return lambda item, key=key: str(item[key])  # type: ignore[misc]
    return None


def _names_all(items: list[Any], key: str) -> bool:
    names = [item.get(key) if type(item) is dict else None for item in items]
    return all(type(name) is str for name in names) and len(set(names)) == len(names)


def _by_identity(
    recorded: list[Any], replayed: list[Any], identify: Callable[[Any], str], masks: Masks, path: Path
) -> Iterator[Difference]:
    there = {identify(item): (index, item) for index, item in enumerate(replayed)}
    here = {identify(item) for item in recorded}
    kept = [identify(item) for item in recorded if identify(item) in there]
    if kept != [identify(item) for item in replayed if identify(item) in here]:
        order = [identify(item) for item in recorded], [identify(item) for item in replayed]
        yield Difference(Change.ORDER, path, *order)
    for index, item in enumerate(recorded):
        if identify(item) in there:
            yield from differences(item, there[identify(item)][1], masks, (*path, index))
        else:
            yield from _only(Change.REMOVED, recorded, [index], masks, path)
    yield from _only(
        Change.ADDED, replayed, [index for name, (index, _) in there.items() if name not in here], masks, path
    )


def _by_likeness(recorded: list[Any], replayed: list[Any], masks: Masks, path: Path) -> Iterator[Difference]:
    ours, theirs = ([_likeness(item, masks) for item in items] for items in (recorded, replayed))
    if ours != theirs and len(ours) > 1 and sorted(ours) == sorted(theirs):
        yield Difference(Change.ORDER, path, recorded, replayed)
        return
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    for _, start, end, other_start, other_end in matcher.get_opcodes():
        paired = min(end - start, other_end - other_start)
        for offset in range(paired):
            here = (*path, start + offset)
            yield from differences(recorded[start + offset], replayed[other_start + offset], masks, here)
        yield from _only(Change.REMOVED, recorded, range(start + paired, end), masks, path)
        yield from _only(Change.ADDED, replayed, range(other_start + paired, other_end), masks, path)


def _likeness(item: Any, masks: Masks) -> str:
    return masks.scrub(canonical(item).decode())


def _only(change: Change, items: list[Any], indices: Sequence[int], masks: Masks, path: Path) -> Iterator[Difference]:
    for index in indices:
        if not masks.hides((*path, index)):
            values = (items[index], None) if change is Change.REMOVED else (None, items[index])
            yield Difference(change, (*path, index), *values)
