"""The built-in engine: a reverse proxy that forwards bytes as they come and hands a copy to the recorder.

For each connection of the client there is one to the server, and what happens to one happens to the other: an end is
passed on as an end, a reset as a reset, and what one side does not take is not read from the other. Requests are
taken apart as far as a proxy must (see `requests`); responses are not looked at. Nothing is ever sent twice.

Who closes what: `Client.over` and `Server.over` say that a side will send no more. One such end is passed on and the
other direction goes on; after both, both transports are closed. Every other end is a reset.
"""

import asyncio
import fcntl
import json
import select
import socket
import ssl
import struct
import termios
from collections.abc import Callable

from mcptest.proxy.http.address import Upstream
from mcptest.proxy.http.channels import (
    CLOSED,
    CONNECTED,
    GONE,
    NOTE,
    REFUSED,
    REQUEST_WHOLE,
    RESET,
    RESPONSE_BYTES,
    UNREACHABLE,
)
from mcptest.proxy.http.requests import Heads, Refusal, Requests
from mcptest.proxy.link import Link

_CONNECT_PATIENCE = 30.0
_MOST_WAITING = 256 << 10  # of a request, for the connection to the server
_SWEEP = 0.2  # how soon a reset is noticed on a connection that is not being read
_LAST_WORDS = 1.0  # to read our own answer, for a client that is still sending
_POLL = 0.005
_NO_LINGER = struct.pack("ii", 1, 0)
_LONGEST_EXCERPT = 4096
_REASONS = {
    400: "Bad Request",
    403: "Forbidden",
    431: "Request Header Fields Too Large",
    502: "Bad Gateway",
    505: "HTTP Version Not Supported",
}


class Relay:
    """What all connections share."""

    def __init__(self, upstream: Upstream, heads: Heads, link: Link, say: Callable[[str], None]) -> None:
        self.upstream, self.heads, self.link = upstream, heads, link
        self._say = say
        self.tls = ssl.create_default_context() if upstream.tls else None
        self.loop = asyncio.get_running_loop()
        self.connections: set[Client] = set()
        self.unread: set[Client] = set()  # those that nothing is read from at the moment
        self._trouble: str | None = None  # why the server could last not be reached
        self._count = 0

    def accept(self) -> "Client":
        self._count += 1
        return Client(self, self._count)

    def copy(self, channel: int, data: bytes, conn: int) -> None:
        try:
            self.link.copy(channel, data, conn)
        except Exception:  # noqa: BLE001  (whatever recording does, traffic goes on)
            self.link.broken = True

    def note(self, conn: int, **body: object) -> None:
        self.copy(NOTE, json.dumps(body).encode(), conn)

    def reached(self, trouble: str | None) -> None:
        """Whether the server could be reached; the user is told once of each trouble."""
        if trouble is not None and trouble != self._trouble:
            self._say(f"cannot reach {self.upstream.url}: {trouble}")
        self._trouble = trouble

    async def watch_unread(self) -> None:
        """A connection that is not being read does not say when it is reset: ask it."""
        while True:
            await asyncio.sleep(_SWEEP)
            if not self.unread:
                continue
            poller = select.poll()
            by_descriptor = {client.transport.get_extra_info("socket").fileno(): client for client in self.unread}
            for descriptor in by_descriptor:
                if descriptor >= 0:
                    poller.register(descriptor, 0)
            for descriptor, _ in poller.poll(0):
                by_descriptor[descriptor].vanish()

    def close(self) -> None:
        for client in list(self.connections):
            client.cut()


class Client(asyncio.Protocol):
    """The client's side of a connection, which owns the pair."""

    transport: asyncio.Transport

    def __init__(self, relay: Relay, number: int) -> None:
        self.relay, self.number = relay, number
        self.requests = Requests(relay.heads)
        self.server: Server | None = None
        self.connecting: asyncio.Task[None] | None = None
        self.waiting: list[bytes] = []  # for the connection to the server
        self.unanswered = 0  # heads forwarded since the server last sent something
        self.over = self.lost = False
        self.deaf = False  # we have answered ourselves and hear no more

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.relay.connections.add(self)
        peer = transport.get_extra_info("peername") or ("", 0)
        self.relay.note(self.number, event=CONNECTED, peer=f"{peer[0]}:{peer[1]}")

    def data_received(self, data: bytes) -> None:
        if self.deaf:
            return
        requests = self.requests
        refusal = None
        try:
            requests.feed(data)
        except Refusal as found:
            refusal = found
        for channel, record in requests.records:
            self.relay.copy(channel, record, self.number)
            self.unanswered += channel <= REQUEST_WHOLE
        requests.records.clear()
        if requests.forward:
            self.send(requests.forward)
            requests.forward = []
        if refusal is not None:
            self.refuse(refusal)

    def send(self, parts: list[bytes]) -> None:
        if self.server is not None:
            self.server.transport.write(parts[0] if len(parts) == 1 else b"".join(parts))
            return
        self.waiting += parts
        if self.connecting is None:
            self.connecting = self.relay.loop.create_task(self.connect())
        elif sum(map(len, self.waiting)) > _MOST_WAITING:
            self.hold()

    async def connect(self) -> None:
        upstream, tls = self.relay.upstream, self.relay.tls
        try:
            async with asyncio.timeout(_CONNECT_PATIENCE):
                _, server = await self.relay.loop.create_connection(
                    lambda: Server(self), upstream.host, upstream.port, ssl=tls
                )
        except (OSError, ssl.CertificateError) as error:
            self.unreachable(explain(error))
            return
        self.relay.reached(None)
        self.server = server
        self.go_on()
        server.transport.write(b"".join(self.waiting))
        self.waiting = []
        if self.over:
            server.end()

    def unreachable(self, reason: str) -> None:
        self.relay.reached(reason)
        self.relay.note(self.number, event=UNREACHABLE, reason=reason)
        self.answer(502, f"mcptest cannot reach {self.relay.upstream.url}: {reason}")

    def refuse(self, refusal: Refusal) -> None:
        """Answer, unless that would end up in the middle of what the server has to say."""
        begun = self.requests.pending[:_LONGEST_EXCERPT].decode("latin-1")
        self.relay.note(self.number, event=REFUSED, status=refusal.status, reason=refusal.reason, begun=begun)
        if self.unanswered != self.requests.in_request:
            self.cut()
            return
        if self.server is not None:
            server, self.server = self.server, None
            reset(server.transport)
        elif self.connecting is not None:
            self.connecting.cancel()
        self.answer(refusal.status, f"mcptest does not pass this on: {refusal.reason}")

    def answer(self, status: int, text: str) -> None:
        """Speak for ourselves, and then no more."""
        self.deaf = True
        body = text.encode("utf-8", "replace") + b"\n"
        head = (
            f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        if self.over:
            self.transport.close()
            return
        self.transport.write_eof()
        self.transport.resume_reading()
        # Closed at once, the client's unread bytes would turn this into a reset, which can overtake the answer.
        self.relay.loop.call_later(_LAST_WORDS, self.transport.close)

    def hold(self) -> None:
        self.transport.pause_reading()
        self.relay.unread.add(self)

    def go_on(self) -> None:
        if not self.over:
            self.relay.unread.discard(self)
            self.transport.resume_reading()

    def pause_writing(self) -> None:
        if self.server is not None:
            self.server.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.server is not None:
            self.server.transport.resume_reading()

    def eof_received(self) -> bool:
        self.over = True
        self.relay.unread.add(self)
        self.relay.note(self.number, event=CLOSED, by="client")
        if self.server is None:
            return self.connecting is not None and not self.deaf
        self.server.end()
        return True

    def vanish(self) -> None:
        """The client is gone without an end."""
        self.relay.note(self.number, event=RESET, by="client")
        self.transport.abort()

    def cut(self) -> None:
        """End both sides ourselves."""
        self.relay.note(self.number, event=RESET, by="mcptest")
        reset(self.transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True
        self.relay.connections.discard(self)
        self.relay.unread.discard(self)
        if error is not None:
            self.relay.note(self.number, event=RESET, by="client")
        self.relay.note(self.number, event=GONE)
        if self.server is not None:
            if self.over and self.server.over and error is None:
                self.server.transport.close()
            else:
                reset(self.server.transport)
        elif self.connecting is not None:
            self.connecting.cancel()


class Server(asyncio.Protocol):
    """The server's side of a connection."""

    transport: asyncio.Transport

    def __init__(self, client: Client) -> None:
        self.client, self.relay = client, client.relay
        self.over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # a TLS transport is one by its methods only

    def data_received(self, data: bytes) -> None:
        client = self.client
        client.unanswered = 0
        self.relay.copy(RESPONSE_BYTES, data, client.number)
        client.transport.write(data)

    def end(self) -> None:
        """The client will send no more."""
        if self.over:
            self.client.transport.close()
            self.transport.close()
        elif self.relay.tls is None:
            self.transport.write_eof()
        else:
            self.transport.close()  # TLS as it is spoken knows no half-closed connection

    def pause_writing(self) -> None:
        self.client.hold()

    def resume_writing(self) -> None:
        self.client.go_on()

    def eof_received(self) -> bool:
        self.over = True
        client = self.client
        if client.server is not self or client.lost:
            return False
        self.relay.note(client.number, event=CLOSED, by="server")
        if client.over or self.relay.tls is not None:
            client.transport.close()
            return False
        client.transport.write_eof()
        return True

    def connection_lost(self, error: Exception | None) -> None:
        client = self.client
        if client.server is not self or client.lost or client.transport.is_closing():
            return
        if error is None:
            client.transport.close()
            return
        self.relay.note(client.number, event=RESET, by="server")
        self.relay.loop.create_task(reset_when_sent(client.transport))


def reset(transport: asyncio.Transport) -> None:
    """End a connection so that the peer sees that it did not end well."""
    sock = transport.get_extra_info("socket")
    if sock is not None and sock.fileno() >= 0:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
    transport.abort()


async def reset_when_sent(transport: asyncio.Transport) -> None:
    """The same, but not before the peer has got what was sent before."""
    sock = transport.get_extra_info("socket")
    while not transport.is_closing() and sock.fileno() >= 0:
        unsent = transport.get_write_buffer_size() or _in_kernel(sock.fileno())
        if not unsent:
            break
        await asyncio.sleep(_POLL)
    reset(transport)


def _in_kernel(descriptor: int) -> int:
    """Bytes that the peer has not acknowledged yet."""
    count: int = struct.unpack("i", fcntl.ioctl(descriptor, termios.TIOCOUTQ, b"\0\0\0\0"))[0]
    return count


def explain(error: BaseException) -> str:
    """Why a connection could not be made, in a few words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {(error.reason or str(error)).replace('_', ' ').lower()}"
    if isinstance(error, TimeoutError):
        return "no connection in time"
    if isinstance(error, socket.gaierror):
        return f"unknown host: {error.strerror}"
    if isinstance(error, OSError) and error.errno:
        import os

        return os.strerror(error.errno)
    return str(error) or type(error).__name__
