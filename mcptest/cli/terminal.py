"""Captured text on its way to a terminal: visible, harmless, and no wider than it may be.

A server chooses the bytes that end up here. Raw, they could clear the screen, set the clipboard, overwrite a line or
reverse its order; so every control, format and invisible character is shown by its code instead (`escape`).
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import unicodedata
from typing import TextIO

from mcptest.visible import visible

escape = visible

ELLIPSIS = "…"
DEFAULT_WIDTH = 100  # what a line is cut to where there is no terminal to ask

_COLOURS = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36", "dim": "2"}
_NOT_ASCII = re.compile("[^\x20-\x7e\n]")


def escape_lines(text: str) -> str:
    """The same for text of several lines: its own newlines stay."""
    return "\n".join(map(escape, text.split("\n")))


def escape_json(document: str) -> str:
    """The same JSON in ASCII only. Outside of strings JSON is ASCII anyway, so any other character is inside one."""
    return _NOT_ASCII.sub(_json_escape, document)


def decode(data: bytes) -> str:
    """Bytes from the wire as text, those that are no UTF-8 as `\\xff`. It still needs `escape`."""
    return data.decode("utf-8", "backslashreplace")


def width(text: str) -> int:
    """The columns that text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def fit(text: str, columns: int) -> str:
    """The text, cut with an ellipsis where it is wider than so many columns."""
    if text.isascii():
        return text if len(text) <= columns else text[: max(columns - 1, 0)] + ELLIPSIS[: max(columns, 0)]
    if len(text) * 2 <= columns or width(text) <= columns:
        return text
    taken = 0
    for index, character in enumerate(text):
        taken += _cells(character)
        if taken > columns - 1:
            return text[:index] + ELLIPSIS if columns > 0 else ""
    return text


def preview(text: str, columns: int) -> str:
    """Escaped and cut; a long text costs no more than a short one."""
    return fit(escape(text[: columns + 1]), columns)


def columns_of(stream: TextIO) -> int | None:
    """How wide the terminal behind a stream is; None where there is none."""
    return shutil.get_terminal_size().columns if is_terminal(stream) else None


def is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def wants_colour(stream: TextIO) -> bool:
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str) -> str:
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 | code >> 10:04x}\\u{0xDC00 | code & 0x3FF:04x}"


@functools.lru_cache(8192)
def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
