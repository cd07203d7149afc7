"""A connection's responses, read from a copy of its bytes. A fault here is noted in the record and nowhere else.

One h11 connection per response: it is told which request was sent, since that decides whether there is a body, and
what it leaves over begins the next response.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import Literal

import h11

_LARGEST_HEAD = 1 << 20
_LONGEST_REMEMBERED = 4 << 10
_MOST_REMEMBERED = 256

Step = tuple[Literal["interim", "head", "data", "end"], bytes]


class Unreadable(Exception):  # noqa: N818  (the peer is at fault, not we)
    """These bytes are no HTTP response, or one that ends too early."""


class Responses:
    """The responses of one connection, in their order."""

    def __init__(self) -> None:
        self._expected: deque[str] = deque()
        self._connection: h11.Connection | None = None
        self._left: int | None = None  # of the body, where that is all there is to know about it

    def expect(self, method: str) -> None:
        """A request was sent whose response comes after those expected so far."""
        self._expected.append(method)

    def forget(self) -> None:
        """Some bytes are missing: begin anew with the next request's response."""
        self._expected.clear()
        self._connection = self._left = None

    def whole(self, data: bytes) -> tuple[bytes, bytes] | None:
        """The common case at once: these bytes are one response with a remembered head, its head and body."""
        if self._connection is not None or self._left is not None or not self._expected:
            return None
        end = data.find(b"\r\n\r\n")
        seen = _seen.get((self._expected[0], data[:end])) if end >= 0 else None
        if seen is None or len(data) - end - 4 != seen[1]:
            return None
        self._expected.popleft()
        return seen[0], data[end + 4 :]

    def feed(self, data: bytes) -> Iterator[Step]:
        """What these bytes amount to; empty data is the end of the stream."""
        is_end = not data
        while data or is_end:
            if self._left is not None:
                if is_end:
                    raise Unreadable("the connection ended before the body did")
                data = yield from self._known_length(data)
            elif self._connection is not None:
                data = yield from self._parse(data)
            elif not data:
                return
            elif not self._expected:
                raise Unreadable("the server spoke without being asked")
            else:
                data = yield from self._begin(data)
            is_end = False

    def _begin(self, data: bytes) -> Generator[Step, None, bytes]:
        method = self._expected.popleft()
        end = data.find(b"\r\n\r\n")
        seen = _seen.get((method, data[:end])) if end >= 0 else None
        if seen is not None:
            yield "head", seen[0]
            self._left = seen[1]
            return (yield from self._known_length(data[end + 4 :]))
        self._connection = _connection(method)
        return (yield from self._parse(data, (method, data[:end])))

    def _known_length(self, data: bytes) -> Generator[Step, None, bytes]:
        assert self._left is not None
        part, rest = data[: self._left], data[self._left :]
        self._left -= len(part)
        if part:
            yield "data", part
        if not self._left:
            self._left = None
            yield "end", b""
        return rest

    def _parse(self, data: bytes, key: tuple[str, bytes] | None = None) -> Generator[Step, None, bytes]:
        connection = self._connection
        assert connection is not None
        try:
            connection.receive_data(data)
            while True:
                event = connection.next_event()
                if isinstance(event, h11.Data):
                    yield "data", bytes(event.data)
                elif isinstance(event, h11.Response):
                    head = _render(event)
                    _remember(key, head, event)
                    yield "head", head
                elif isinstance(event, h11.EndOfMessage):
                    yield "end", b""
                    self._connection = None
                    return connection.trailing_data[0]
                elif isinstance(event, h11.InformationalResponse):
                    yield "interim", _render(event)
                    key = None
                else:
                    return b""
        except h11.RemoteProtocolError as error:
            self._connection = None
            raise Unreadable(_without_quotes(str(error))) from error


# Servers repeat their heads, and h11 takes its time over each: those whose body has a plain length are remembered.
_seen: dict[tuple[str, bytes], tuple[bytes, int]] = {}


def _remember(key: tuple[str, bytes] | None, head: bytes, event: h11.Response) -> None:
    if key is None or key[0] == "HEAD" or len(key[1]) > _LONGEST_REMEMBERED or event.status_code in (204, 304):
        return
    length = None
    for name, value in event.headers:
        if name == b"content-length":
            length = int(value)
        elif name == b"transfer-encoding":
            return
    if length is not None:
        if len(_seen) >= _MOST_REMEMBERED:
            _seen.clear()
        _seen[key] = head, length


def _without_quotes(reason: str) -> str:
    """h11 quotes what it does not understand, in which a secret may be; the record has the bytes in their own place."""
    return reason.partition(" bytearray(")[0].rstrip(":")


def _connection(method: str) -> h11.Connection:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LARGEST_HEAD)
    connection.send(_request(method))
    connection.send(h11.EndOfMessage())
    return connection


@lru_cache(maxsize=32)
def _request(method: str) -> h11.Request:
    return h11.Request(method=method, target="/", headers=[("Host", "any")])


def _render(event: h11.Response | h11.InformationalResponse) -> bytes:
    start = b"HTTP/%s %d %s" % (event.http_version, event.status_code, event.reason)
    return b"\r\n".join([start.rstrip(), *(b"%s: %s" % pair for pair in event.headers.raw_items())])
