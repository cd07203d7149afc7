"""Server-sent events: cut a stream into events, and read one.

Lines end with LF, CRLF or CR, an empty line ends an event, and what is recorded of an event are its lines as they
came. Comments are kept like events: they are how servers hold a connection open.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_EMPTY_LINE = re.compile(rb"(?>\r\n|\n|\r)(?>\r\n|\n|\r)")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_LONGEST_SEPARATOR = 4


class Events:
    """Feed it the stream in any chunks; whatever the chunking, the same bytes give the same events."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._after_cr = False
        self._skipping = False

    @property
    def pending(self) -> int:
        return len(self._buffer)

    def feed(self, chunk: bytes) -> list[bytes]:
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")  # the second half of a line end
        buffer = self._buffer
        start = max(0, len(buffer) - _LONGEST_SEPARATOR + 1)
        buffer += chunk
        found = []
        position = 0
        for match in _EMPTY_LINE.finditer(buffer, start):
            event = bytes(buffer[position : match.start()]).lstrip(b"\r\n")
            position = match.end()
            if event and not self._skipping:
                found.append(event)
            self._skipping = False
        if position:
            self._after_cr = position == len(buffer) and buffer.endswith(b"\r")
            del buffer[:position]
        return found

    def skip(self) -> None:
        """Leave out the event that is coming, what was fed of it and what is still to come."""
        del self._buffer[: 1 - _LONGEST_SEPARATOR]  # the line end that its end may begin with stays
        self._skipping = True

    def take(self) -> bytes:
        """What came since the last whole event, leaving nothing."""
        rest = b"" if self._skipping else bytes(self._buffer).lstrip(b"\r\n")
        self._buffer.clear()
        return rest


class Event(NamedTuple):
    """An event's fields as a client reads them. Without a `data` line there is nothing to dispatch."""

    data: bytes | None
    name: str | None
    id: str | None
    retry: str | None
    comments: int


def split_lines(raw: bytes) -> list[bytes]:
    return _LINE_END.split(raw.removeprefix(b"\xef\xbb\xbf"))


def parse_event(raw: bytes) -> Event:
    data: list[bytes] = []
    fields: dict[bytes, str] = {}
    comments = 0
    for line in split_lines(raw):
        name, _, value = line.partition(b":")
        if not line:
            continue
        if not name:
            comments += 1
            continue
        value = value.removeprefix(b" ")
        if name == b"data":
            data.append(value)
        else:
            fields[name] = value.decode("utf-8", "replace")
    return Event(
        b"\n".join(data) if data else None, fields.get(b"event"), fields.get(b"id"), fields.get(b"retry"), comments
    )
