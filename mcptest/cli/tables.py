"""Rows of text in one of several formats, written as they come.

A column's kind says what its text means: `number` and `boolean` stand as they are in JSON, `json` is a document of its
own, anything else is a string. Only the table looks ahead, over its first rows, to find its columns' widths.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import orjson

from mcptest.capture.sandbox import BOOLEAN, JSON, NUMBER, TEXT, Column
from mcptest.cli.output import Sink
from mcptest.cli.terminal import escape, escape_json, fit, width

Cell = str | None
Row = Sequence[Cell]

_LOOK_AHEAD = 1000  # rows that decide a table's widths; a later, wider cell is cut or sticks out
_NARROWEST = 8  # a column is not squeezed below this
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_MARKDOWN = re.compile(r"([\\`*\[\]<>|~&])")
# A cell that begins like this is a formula to a spreadsheet, also where a form of CSV import trims or widens.
_FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"


def table(columns: Sequence[Column], rows: Iterable[Row], sink: Sink, terminal_width: int | None = None) -> None:
    """Aligned columns for reading. On a terminal the table is squeezed to its width."""
    rest = iter(rows)
    first = [[_shown(cell) for cell in row] for row in itertools.islice(rest, _LOOK_AHEAD)]
    names = [escape(column.name) for column in columns]
    widths = [
        max([width(name), *(width(row[index]) for row in first)]) if first else width(name)
        for index, name in enumerate(names)
    ]
    if terminal_width is not None:
        widths = _squeezed(widths, terminal_width)
    right = [column.kind == NUMBER for column in columns]

    def line(cells: Sequence[str]) -> str:
        parts = []
        for cell, limit, to_right in zip(cells, widths, right, strict=True):
            text = fit(cell, limit) if terminal_width is not None else cell
            padding = " " * (limit - width(text))
            parts.append(padding + text if to_right else text + padding)
        return "  ".join(parts).rstrip() + "\n"

    sink.write(line(names))
    sink.write("  ".join("─" * limit for limit in widths) + "\n")
    for cells in first:
        sink.write(line(cells))
    for row in rest:
        sink.write(line([_shown(cell) for cell in row]))


def json_array(columns: Sequence[Column], rows: Iterable[Row], sink: Sink, _: int | None = None) -> None:
    """One array with an object per row."""
    keys = [_json_text(name) for name in unique([column.name for column in columns])]
    makers = [_JSON_MAKERS[column.kind] for column in columns]
    opening = "["
    for row in rows:
        members = [
            f"{key}:{'null' if cell is None else make(cell)}" for key, cell, make in zip(keys, row, makers, strict=True)
        ]
        document = f"{opening}{{{','.join(members)}}}"
        sink.write(escape_json(document) if sink.terminal else document)
        opening = ",\n "
    sink.write("]\n" if opening != "[" else "[]\n")


def csv_lines(columns: Sequence[Column], rows: Iterable[Row], sink: Sink, _: int | None = None) -> None:
    """Comma-separated values. A cell that a spreadsheet would run as a formula gets an apostrophe in front."""
    bare = [column.kind in (NUMBER, BOOLEAN) for column in columns]
    sink.write(",".join(_quoted(_disarmed(_shown(column.name))) for column in columns) + "\n")
    for row in rows:
        cells = [
            cell or "" if is_bare else _quoted(_disarmed(escape(cell) if sink.terminal else cell)) if cell else ""
            for cell, is_bare in zip(row, bare, strict=True)
        ]
        sink.write(",".join(cells) + "\n")


def markdown(columns: Sequence[Column], rows: Iterable[Row], sink: Sink, _: int | None = None) -> None:
    """A table for an issue or a README. What Markdown would act upon is escaped."""

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cells) + " |\n"

    sink.write(line(_markdown_cell(column.name) for column in columns))
    sink.write(line("---:" if column.kind == NUMBER else "---" for column in columns))
    for row in rows:
        sink.write(line(_markdown_cell(cell) for cell in row))


Writer = Callable[[Sequence[Column], Iterable[Row], Sink, int | None], None]
WRITERS: dict[str, Writer] = {"table": table, "json": json_array, "csv": csv_lines, "markdown": markdown}


def unique(names: Sequence[str]) -> Iterator[str]:
    """The names with a number behind those that would repeat, as an object's keys must not."""
    taken = set(names)
    seen: set[str] = set()
    for name in names:
        candidate, number = name, 1
        while candidate in seen or (candidate != name and candidate in taken):
            candidate, number = f"{name}_{number}", number + 1
        seen.add(candidate)
        yield candidate


def _shown(cell: Cell) -> str:
    return "" if cell is None else escape(cell)


def _squeezed(widths: list[int], available: int) -> list[int]:
    """Narrow the widest columns until all fit, or none may be narrowed further."""
    room = available - 2 * (len(widths) - 1)
    widths = list(widths)
    while sum(widths) > room:
        widest = max(widths)
        if widest <= _NARROWEST:
            break
        others = [value for value in widths if value < widest]
        count = len(widths) - len(others)
        floor = max([*others, _NARROWEST])
        excess = sum(widths) - room
        cut = min(widest - floor, -(-excess // count)) or 1
        widths = [value - cut if value == widest else value for value in widths]
    return widths


def _json_text(text: str) -> str:
    return orjson.dumps(text).decode()


def _json_number(text: str) -> str:
    return text if _JSON_NUMBER.fullmatch(text) else "null"  # JSON has no NaN and no infinity


def _json_document(text: str) -> str:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return _json_text(text)
    return text.replace("\n", " ")  # outside of strings, where alone it can be, a newline is a blank


_JSON_MAKERS: dict[str, Callable[[str], str]] = {
    NUMBER: _json_number,
    BOOLEAN: str,
    JSON: _json_document,
    TEXT: _json_text,
}


def _disarmed(cell: str) -> str:
    return "'" + cell if cell[:1] in _FORMULA and cell else cell


def _quoted(cell: str) -> str:
    if '"' in cell or "," in cell or "\n" in cell or "\r" in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _markdown_cell(cell: Cell) -> str:
    return "" if cell is None else _MARKDOWN.sub(r"\\\1", escape(cell))
