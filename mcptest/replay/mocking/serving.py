"""A small HTTP/1.1 server: requests in, whole answers or event streams out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from mcptest.wire.heads import Head, parse_head

_HEAD_LIMIT = 64 << 10
LARGEST_BODY = 64 << 20
_REASONS = {
    200: "OK",
    202: "Accepted",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    431: "Request Header Fields Too Large",
}
_NO_HEADERS: Mapping[str, str] = {}


class Handler(Protocol):
    def __call__(self, request: Request) -> None:
        """Answer with `request.answer`, or open a stream."""


class Request:
    """One request. It is answered once, now or later; what a pipelining client sends next waits for that."""

    __slots__ = ("_connection", "body", "head", "on_abort")

    def __init__(self, head: Head, body: bytes, connection: _Connection) -> None:
        self.head, self.body, self._connection = head, body, connection
        self.on_abort: Callable[[], None] | None = None

    def header(self, name: bytes) -> str | None:
        return self.head.get(name)

    def answer(
        self,
        status: int,
        body: bytes = b"",
        headers: Mapping[str, str] = _NO_HEADERS,
        *,
        kind: str = "application/json",
    ) -> None:
        lines = [f"HTTP/1.1 {status} {_REASONS.get(status, '')}", f"Content-Length: {len(body)}"]
        if body:
            lines.append(f"Content-Type: {kind}")
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._connection.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
        self._connection.done()

    def stream(self, headers: Mapping[str, str] = _NO_HEADERS) -> None:
        """Begin an event stream."""
        lines = [
            "HTTP/1.1 200 OK",
            "Content-Type: text/event-stream",
            "Cache-Control: no-cache, no-transform",
            "X-Accel-Buffering: no",
            "Transfer-Encoding: chunked",
        ]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._connection.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n")

    def event(self, data: bytes, identity: str | None = None) -> None:
        """One event; messages have no line breaks in them."""
        head = b"" if identity is None else b"id: " + identity.encode() + b"\n"
        event = b"event: message\n" + head + b"data: " + data + b"\n\n"
        self._connection.send(b"%x\r\n%s\r\n" % (len(event), event))

    def end(self) -> None:
        self._connection.send(b"0\r\n\r\n")
        self._connection.done()

    def hang_up(self) -> None:
        """End the connection in the middle of whatever it is in."""
        self._connection.transport.abort()


class _Connection(asyncio.Protocol):
    transport: asyncio.Transport

    def __init__(self, handler: Handler, connections: set[_Connection]) -> None:
        self._handler, self._connections = handler, connections
        self._buffer = bytearray()
        self._current: Request | None = None
        self._closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._current is None:
            self._next()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._connections.discard(self)
        current, self._current = self._current, None
        if current is not None and current.on_abort is not None:
            current.on_abort()

    def send(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(data)

    def done(self) -> None:
        """The current request is answered: on to the next."""
        self._current = None
        if self._closing:
            self.transport.close()
        elif self._buffer:
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        if self._current is not None or self.transport.is_closing():
            return
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _HEAD_LIMIT:
                self._refuse(431)
            return
        head = parse_head(bytes(self._buffer[:end]))
        try:
            found = self._body(head, end + 4)
        except ValueError:
            self._refuse(400)
            return
        if found is None:
            return
        body, after = found
        del self._buffer[:after]
        self._closing = (head.get(b"connection") or "").lower() == "close" or not head.start.endswith(b"HTTP/1.1")
        self._current = Request(head, body, self)
        self._handler(self._current)

    def _body(self, head: Head, start: int) -> tuple[bytes, int] | None:
        """The request's body and where it ends; None if it is not all there yet."""
        if (head.get(b"transfer-encoding") or "").lower() == "chunked":
            return self._chunked(start)
        length = int(head.get(b"content-length") or 0)
        if not 0 <= length <= LARGEST_BODY:
            raise ValueError
        if len(self._buffer) < start + length:
            self._continue(head)
            return None
        return bytes(self._buffer[start : start + length]), start + length

    def _chunked(self, position: int) -> tuple[bytes, int] | None:
        parts: list[bytes] = []
        while True:
            line_end = self._buffer.find(b"\r\n", position)
            if line_end < 0:
                return None
            size = int(bytes(self._buffer[position:line_end]).partition(b";")[0], 16)
            if not 0 <= size <= LARGEST_BODY:
                raise ValueError
            position = line_end + 2
            if len(self._buffer) < position + size + 2:
                return None
            parts.append(bytes(self._buffer[position : position + size]))
            position += size + 2
            if size == 0:
                return b"".join(parts), position

    def _continue(self, head: Head) -> None:
        if (head.get(b"expect") or "").lower() == "100-continue":
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _refuse(self, status: int) -> None:
        self._closing = True
        self._buffer.clear()
        Request(Head(b"", ()), b"", self).answer(status, headers={"Connection": "close"})


class Server:
    """Listens until it is closed."""

    def __init__(self, server: asyncio.Server, connections: set[_Connection]) -> None:
        self._server, self._connections = server, connections

    @property
    def port(self) -> int:
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        self._server.close()
        for connection in list(self._connections):
            connection.transport.abort()
        await asyncio.sleep(0)


async def serve(host: str, port: int, handler: Handler) -> Server:
    connections: set[_Connection] = set()
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(handler, connections), host, port)
    return Server(server, connections)
