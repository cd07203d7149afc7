"""HTTP heads as they are recorded: the start line and the header lines, without the empty line that ends them.

Reading one never fails: a line that is no header has no name, and a start line that is none has empty parts.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

_LONGEST_CACHED = 4 << 10


class _Head(NamedTuple):
    start: bytes
    headers: tuple[tuple[bytes, bytes], ...]  # names as they were sent, values without the space around them


class Head(_Head):
    def get(self, name: bytes) -> str | None:
        """A header's value by its lower-case name; several are joined by commas, as HTTP reads them."""
        return self._values.get(name)

    @cached_property
    def _values(self) -> dict[bytes, str]:
        values: dict[bytes, str] = {}
        for name, value in self.headers:
            key, text = name.lower(), value.decode("latin-1")
            values[key] = f"{values[key]}, {text}" if key in values else text
        return values

    @cached_property
    def method(self) -> str:
        """Of a request."""
        return self.start.partition(b" ")[0].decode("latin-1")

    @cached_property
    def target(self) -> str:
        """Of a request."""
        return self.start.partition(b" ")[2].rpartition(b" ")[0].decode("latin-1")

    @cached_property
    def status(self) -> int | None:
        """Of a response."""
        code = self.start.split(b" ", 2)[1:2]
        return int(code[0]) if code and code[0].isdigit() and len(code[0]) == 3 else None

    @cached_property
    def announces_body(self) -> bool:
        """Of a request."""
        return (self.get(b"content-length") or "0") != "0" or self.get(b"transfer-encoding") is not None

    @cached_property
    def content_type(self) -> str:
        """The media type alone, in lower case."""
        return (self.get(b"content-type") or "").partition(";")[0].strip().lower()


def parse_head(data: bytes) -> Head:
    return _parse_again(data) if len(data) <= _LONGEST_CACHED else _parse(data)


def _parse(data: bytes) -> Head:
    start, *lines = data.split(b"\r\n")
    headers = []
    for line in lines:
        name, colon, value = line.partition(b":")
        headers.append((name, value.strip(b" \t")) if colon else (b"", line))
    return Head(start, tuple(headers))


# Peers repeat their heads.
_parse_again = lru_cache(maxsize=256)(_parse)


def render_head(head: Head) -> bytes:
    return b"\r\n".join([head.start, *(b"%s: %s" % (name, value) if name else value for name, value in head.headers)])


def is_json(content_type: str) -> bool:
    return content_type == "application/json" or content_type.endswith("+json")


EVENT_STREAM = "text/event-stream"
FORM = "application/x-www-form-urlencoded"
