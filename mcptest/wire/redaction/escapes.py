"""JSON inside JSON inside JSON: how deep a quote stands, where a string ends, what a value reads as.

A document of depth 0 has bare quotes. Put into a string of another document, its quotes get one backslash; put into a
string again, three; then seven. So the depth of a quote is the number of trailing one bits in the number of
backslashes before it: further backslashes are the value's own. A string opened at some depth is ended by the next
quote of that depth, or of a smaller one where the inner document was cut.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

# Longer values are hashed as they stand: nobody compares them across depths.
_LONGEST_UNESCAPED = 1 << 16
_LONGEST_RUN = 64
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_LETTERS = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ASCII = re.compile(rb"\\u00[2-7][0-9a-fA-F]")
_ALNUM = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_BEFORE_WORD = re.compile(rb"(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{0,8}m)\Z")


def depth(backslashes: int) -> int:
    return (backslashes ^ (backslashes + 1)).bit_length() - 1


def string_end(data: bytes, start: int, opened: int) -> tuple[int, int]:
    """The end of the value that starts here, and the position behind its closing quote (the data's end if unclosed)."""
    position = start
    while (quote := data.find(b'"', position)) >= 0:
        between = data[position:quote]
        backslashes = len(between) - len(between.rstrip(b"\\"))
        found = depth(backslashes)
        if found <= opened:
            return quote - ((1 << found) - 1), quote + 1
        position = quote + 1
    return len(data), len(data)


def is_escaped(data: bytes, at: int) -> bool:
    """Does a backslash before this position belong to what stands here, as the one of `\\n` does to the n?"""
    before = data[max(0, at - _LONGEST_RUN) : at]
    return bool((len(before) - len(before.rstrip(b"\\"))) & 1)


def starts_word(data: bytes, at: int) -> bool:
    """Does a word start here? An escape sequence or a terminal colour before it is not part of the word."""
    if at == 0:
        return True
    before = data[at - 1]
    if before not in _ALNUM:
        return True
    return bool(_BEFORE_WORD.search(data[max(0, at - 10) : at]))


def undone(text: str, times: int) -> str:
    """A value with its escapes undone so many times, without white space around it."""
    if "\\" in text and len(text) <= _LONGEST_UNESCAPED:
        for _ in range(times):
            before, text = text, unescape(text)
            if before == text:
                break
    return text.strip()


def unescape(text: str) -> str:
    """One level of JSON's escapes undone; what is no escape stays."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _LETTERS[match[2]], text)
    return _PAIR.sub(lambda match: match[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)


class Folded(NamedTuple):
    """Data whose needless `\\u0070` escapes are written as the characters they mean, and the way back."""

    data: bytes
    at: list[int]  # where in the folded data a stretch begins
    origin: list[int]  # and where that is in the original

    def original(self, position: int) -> int:
        index = bisect_right(self.at, position) - 1
        return self.origin[index] + position - self.at[index]


def fold(data: bytes) -> Folded | None:
    """None if there is nothing to fold. Quotes keep their depth; control characters and backslashes stay escaped."""
    parts: list[bytes] = []
    at, origin = [0], [0]
    position = length = passed = 0
    for match in _ASCII.finditer(data):
        code = int(data[match.end() - 2 : match.end()], 16)
        before = data[passed : match.start() + 1]
        passed = match.end()
        backslashes = len(before) - len(before.rstrip(b"\\"))
        start = match.start() + 1 - backslashes
        character = bytes((code,))
        if code in (0x5C, 0x7F):
            continue
        if code == 0x22:
            if backslashes & (backslashes - 1):
                continue
            character = b"\\" * (2 * backslashes - 1) + character
        parts += (data[position:start], character)
        length += start - position
        at.append(length)
        origin.append(start)
        length += len(character)
        at.append(length)
        origin.append(match.end())
        position = match.end()
    if not parts:
        return None
    parts.append(data[position:])
    return Folded(b"".join(parts), at, origin)
