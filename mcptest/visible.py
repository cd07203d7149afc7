"""Captured text on its way to a reader's eyes: everything that could be obeyed or hidden is shown by its code."""

from __future__ import annotations

import re

# Written out rather than asked from unicodedata, so that every Python version hides the same characters.
_UNSAFE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\xad\u034f\u061c\u06dd\u070f\u08e2\u0600-\u0605\u0890\u0891\u180b-\u180f"  # soft hyphen, joiners, marks
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # fillers: letters that show nothing
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ufffe\uffff"  # zero width, separators, bidi
    "\ud800-\udfff"  # lone surrogates
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # format controls of scripts
    "\U000e0000-\U000e0fff"  # tags and other ignorables
    "]"
)


def visible(text: str) -> str:
    """The text on one line, with control, format and invisible characters as `\\x1b` or `\\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_code, text)


def _code(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFF:
        return {9: "\\t", 10: "\\n", 13: "\\r"}.get(code, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
