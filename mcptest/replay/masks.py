"""Masks: which differences between a recorded and a replayed answer do not count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from mcptest.errors import UsageError
from mcptest.jsontext import pointer_tokens
from mcptest.replay.redacted import may_equal
from mcptest.replay.varying import KINDS, Kind

ALL = tuple(kind.name for kind in KINDS)
_LONGEST_TEXT = 1 << 20  # longer texts are compared as they are


class Mask(NamedTuple):
    """Hides a place or a text. `pointer` is a JSON pointer into the answer (`/result/content/0/text`) in which `*`
    stands for one key or index, `**` for any number of them, and `#` enters JSON that stands in a text
    (`/result/content/0/text#/id`); `pattern` hides what it matches in any text. `tool` and
    `method` limit it to some answers; both may hold wildcards."""

    pointer: str | None = None
    pattern: str | None = None
    tool: str | None = None
    method: str | None = None
    reason: str | None = None

    def applies(self, method: str, name: str | None) -> bool:
        if self.method is not None and not fnmatchcase(method, self.method):
            return False
        return self.tool is None or (method == "tools/call" and name is not None and fnmatchcase(name, self.tool))


class Masks:
    """The masks in force for one answer."""

    def __init__(self, masks: Iterable[Mask], kinds: Sequence[Kind]) -> None:
        self._places = [_tokens(mask.pointer) for mask in masks if mask.pointer is not None]
        self._patterns = [_compile(mask.pattern) for mask in masks if mask.pattern is not None]
        self._kinds = kinds

    def hides(self, path: Sequence[str | int]) -> bool:
        """Is this place masked, whatever stands there? A pointer may leave out the answer's `/result`."""
        if not self._places:
            return False
        tokens = [str(token) for token in path]
        return any(_matches(place, tokens) or _matches(place, tokens[1:]) for place in self._places)

    def same(self, path: Sequence[str | int], one: Any, other: Any) -> bool:
        """Two scalars that differ: do they count as the same here?"""
        if may_equal(one, other):
            return True
        key = next((token for token in reversed(path) if type(token) is str), "")
        if any(kind.pair(key, one, other) for kind in self._kinds):
            return True
        return type(one) is str and type(other) is str and self.scrub(one) == self.scrub(other)

    def scrub(self, text: str) -> str:
        """The text with everything that may vary replaced by what it is."""
        if len(text) > _LONGEST_TEXT:
            return text
        for pattern in self._patterns:
            text = pattern.sub("<masked>", text)
        for kind in self._kinds:
            if kind.texts is not None:
                text = kind.texts.sub(f"<{kind.name}>", text)
        return text


class MaskSet(NamedTuple):
    """All masks of a run, before it is known which answer they are for."""

    masks: tuple[Mask, ...] = ()
    builtin: tuple[str, ...] = ALL

    def of(self, method: str, name: str | None) -> Masks:
        kinds = [kind for kind in KINDS if kind.name in self.builtin]
        return Masks([mask for mask in self.masks if mask.applies(method, name)], kinds)


def parse_mask(text: str) -> Mask:
    """`/pointer`, or `TOOL:/pointer` for one tool's answers."""
    tool, colon, place = text.rpartition(":/")
    mask = Mask(pointer="/" + place, tool=tool or None) if colon else Mask(pointer=text)
    check(mask, f"--mask {text!r}")
    return mask


def from_table(entry: Any, where: str) -> Mask:
    """One `[[replay.masks]]` of the configuration."""
    if isinstance(entry, str):
        return parse_mask(entry)
    if not isinstance(entry, Mapping):
        raise UsageError(f"{where}: a mask is a table with a pointer or a pattern, or a string")
    unknown = sorted(set(entry) - set(Mask._fields))
    if unknown:
        raise UsageError(f"{where}: unknown key {unknown[0]!r} in a mask; known: {', '.join(Mask._fields)}")
    for key, value in entry.items():
        if not isinstance(value, str):
            raise UsageError(f"{where}: {key} of a mask must be a string")
    mask = Mask(**entry)
    check(mask, where)
    return mask


def check(mask: Mask, where: str) -> None:
    if (mask.pointer is None) == (mask.pattern is None):
        raise UsageError(f"{where}: a mask needs either a pointer or a pattern")
    if mask.pointer is not None and not mask.pointer.startswith("/"):
        raise UsageError(f"{where}: a pointer begins with '/', such as /result/content/0/text")
    if mask.pattern is not None:
        _compile(mask.pattern, where)


def check_kinds(names: Iterable[str], where: str) -> tuple[str, ...]:
    known = tuple(names)
    for name in known:
        if name not in ALL:
            raise UsageError(f"{where}: no built-in mask {name!r}; there is: {', '.join(ALL)}")
    return known


def _compile(pattern: str, where: str = "mask") -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(f"{where}: {pattern!r} is no regular expression: {error}") from error


def _tokens(pointer: str) -> list[str]:
    tokens: list[str] = []
    for number, part in enumerate(pointer.split("#/")):
        tokens += (["#"] if number else []) + pointer_tokens(part if not number else "/" + part)
    return tokens


def _matches(pattern: Sequence[str], path: Sequence[str]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        return any(_matches(pattern[1:], path[skip:]) for skip in range(len(path) + 1))
    return bool(path) and (pattern[0] in ("*", path[0])) and _matches(pattern[1:], path[1:])
