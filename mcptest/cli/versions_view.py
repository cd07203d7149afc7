"""What an upgrade changes, for people: rule by rule in the order of their ids, then how many of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from mcptest.cli.terminal import escape, fit, paint
from mcptest.compliance import Bucket, Entry, Missing, VersionDiff

_COLOURS = {Bucket.CHANGED: "red", Bucket.ADDED: "green", Bucket.REMOVED: "yellow"}
_LABEL = max(map(len, Bucket))
_LONGEST = 200  # characters of a value that is shown
_LINE = 100  # of the ids at the end, where no terminal says how wide it is

Paint = Callable[[str, str], str]


def pretty(diff: VersionDiff, *, colour: bool = False, room: int | None = None) -> Iterator[str]:
    brush: Paint = paint if colour else lambda text, _: text
    widest = max((len(entry.rule_id) for entry in diff.entries), default=0)
    yield f"{diff.from_} → {diff.to}"
    yield ""
    for entry in diff.entries:
        if entry.bucket is Bucket.UNCHANGED:
            continue
        label = brush(entry.bucket.ljust(_LABEL), _COLOURS[entry.bucket])
        text = escape(entry.text)
        left = None if room is None else room - _LABEL - widest - 2
        yield f"{label} {entry.rule_id:<{widest}} {text if left is None else fit(text, left)}".rstrip()
        if entry.bucket is Bucket.CHANGED:
            indent = " " * (_LABEL + 1)
            yield from (f"{indent}{line}" for line in _differences(entry))
    unchanged = [entry.rule_id for entry in diff.within(Bucket.UNCHANGED)]
    if unchanged:
        yield ""
        yield from _wrapped("unchanged", unchanged, room or _LINE)
    yield ""
    yield brush(summary(diff), "green" if diff.is_clean else "red")


def markdown(diff: VersionDiff) -> Iterator[str]:
    yield f"## {'✅' if diff.is_clean else '❌'} {_cell(diff.from_)} → {_cell(diff.to)}"
    yield ""
    yield f"{summary(diff)}."
    shown = [entry for entry in diff.entries if entry.bucket is not Bucket.UNCHANGED]
    if shown:
        yield ""
        yield "| rule | | what it demands | what differs |"
        yield "|---|---|---|---|"
    for entry in shown:
        differences = "<br>".join(map(_cell, _differences(entry)))
        yield f"| {entry.rule_id} | {entry.bucket} | {prose(entry.text)} | {differences} |"
    unchanged = [entry.rule_id for entry in diff.within(Bucket.UNCHANGED)]
    if unchanged:
        yield ""
        yield f"Unchanged: {', '.join(unchanged)}."


def summary(diff: VersionDiff) -> str:
    """`120 rules: 80 unchanged, 3 changed, 30 added, 7 removed`."""
    counted = ", ".join(f"{number} {bucket}" for bucket, number in diff.summary.items())
    return f"{len(diff.entries)} rules: {counted}"


def _differences(entry: Entry) -> Iterator[str]:
    for path, old, new in entry.differences():
        yield f"{escape(path)}: {_value(old)} → {_value(new)}"


def _value(value: Any) -> str:
    if isinstance(value, Missing):
        return "none"
    return fit(escape(json.dumps(value, ensure_ascii=False)), _LONGEST)


def _wrapped(label: str, words: list[str], room: int) -> Iterator[str]:
    line = f"{label}:"
    for number, word in enumerate(words, 1):
        piece = word if number == len(words) else f"{word},"
        if len(line) + 1 + len(piece) > room:
            yield line
            line = f"  {piece}"
        else:
            line += f" {piece}"
    yield line


def prose(text: str) -> str:
    """A demand's own words, with what stands in backquotes left as code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return _cell(text)
    return "`".join(
        escape(piece).replace("|", "\\|") if number % 2 else _cell(piece) for number, piece in enumerate(pieces)
    )


def _cell(text: str) -> str:
    text = escape(text).replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;")
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("[", "\\[")
