"""A small HTTP/1.1 client for one origin: keep-alive connections, bodies of known length, chunked, or to the end.

It asks for no compression, follows no redirect and repeats no request.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from mcptest.transport.connection import Lost
from mcptest.wire.heads import Head, parse_head

_HEAD_LIMIT = 1 << 20
_PIECE = 1 << 16
LARGEST_BODY = 256 << 20  # of an answer that is held in memory


class Origin(NamedTuple):
    """Where requests go."""

    tls: bool
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def origin(url: str) -> Origin:
    parts = urlsplit(url)
    tls = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Origin(tls, parts.hostname or "", parts.port or (443 if tls else 80), path)


class _Wire(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    number: int


class Response:
    """An answer whose head has arrived. Read it to the end, or close it."""

    def __init__(self, head: Head, wire: _Wire, client: Http1, *, bodiless: bool) -> None:
        self.head, self._wire, self._client = head, wire, client
        self.meta, self.exchange = b"", 0  # for whoever records it
        self._bodiless = bodiless or head.status in (204, 304)

    async def read(self) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for piece in self.pieces():
            parts.append(piece)
            size += len(piece)
            if size > LARGEST_BODY:
                self.close()
                raise Lost(f"the answer is larger than {LARGEST_BODY >> 20} MiB")
        return b"".join(parts)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        reader = self._wire.reader
        done = False
        try:
            if self._bodiless:
                done = True
            elif "chunked" in (self.head.get(b"transfer-encoding") or "").lower():
                async for piece in _chunks(reader):
                    yield piece
                done = True
            elif (length := self.head.get(b"content-length")) is not None:
                left = int(length)
                while left:
                    piece = await reader.read(min(left, _PIECE))
                    if not piece:
                        raise Lost("the connection ended in the middle of an answer")
                    left -= len(piece)
                    yield piece
                done = True
            else:
                while piece := await reader.read(_PIECE):
                    yield piece
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError) as error:
            reason = _reason(error) if isinstance(error, OSError) else "what came is not whole"
            raise Lost(
                f"the connection to {self._client.where.authority} broke in the middle of an answer: {reason}"
            ) from error
        finally:
            keep = (
                done and (self.head.get(b"connection") or "").lower() != "close" and self.head.start[:8] == b"HTTP/1.1"
            )
            self._client.give_back(self._wire, keep=keep)

    def close(self) -> None:
        """Stop listening: the server sees the connection end."""
        self._client.give_back(self._wire, keep=False)


class Http1:
    def __init__(self, where: Origin, patience: float) -> None:
        self.where, self._patience = where, patience
        self._idle: list[_Wire] = []
        self._all: set[_Wire] = set()
        self._count = 0
        self._tls = ssl.create_default_context() if where.tls else None

    async def connect(self) -> _Wire:
        """An idle connection, or a new one. Lost with the reason if there is none to be had."""
        while self._idle:
            wire = self._idle.pop()
            if not wire.reader.at_eof() and not wire.writer.is_closing():
                return wire
            self.give_back(wire, keep=False)
        try:
            async with asyncio.timeout(self._patience):
                streams = await asyncio.open_connection(
                    self.where.host, self.where.port, ssl=self._tls, limit=_HEAD_LIMIT
                )
        except (OSError, TimeoutError, ssl.CertificateError) as error:
            raise Lost(f"cannot reach {self.where.authority}: {_reason(error)}") from error
        self._count += 1
        wire = _Wire(*streams, self._count)
        self._all.add(wire)
        return wire

    def head(self, method: str, headers: list[tuple[str, str]]) -> bytes:
        lines = [f"{method} {self.where.path} HTTP/1.1", f"Host: {self.where.authority}"]
        lines += [f"{name}: {value}" for name, value in headers]
        return "\r\n".join(lines).encode("latin-1")

    async def send(self, wire: _Wire, head: bytes, body: bytes) -> None:
        with self._broken(wire):
            wire.writer.write(head + b"\r\n\r\n" + body)
            await wire.writer.drain()

    async def receive(self, wire: _Wire, method: str) -> Response:
        """Wait for the head of the answer to what was sent."""
        with self._broken(wire):
            while True:
                answer = parse_head((await wire.reader.readuntil(b"\r\n\r\n"))[:-4])
                if answer.status is None:
                    raise Lost(f"{self.where.authority} does not speak HTTP: {answer.start[:60]!r}")
                if not 100 <= answer.status < 200:
                    return Response(answer, wire, self, bodiless=method == "HEAD")

    @contextmanager
    def _broken(self, wire: _Wire) -> Iterator[None]:
        """What fails in here is the end of the connection."""
        try:
            yield
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            self.give_back(wire, keep=False)
            reason = _reason(error) if isinstance(error, OSError) else "it ended without an answer"
            raise Lost(f"the connection to {self.where.authority} broke: {reason}") from error
        except BaseException:
            self.give_back(wire, keep=False)
            raise

    def give_back(self, wire: _Wire, *, keep: bool) -> None:
        if wire not in self._all:
            return
        if keep and not wire.writer.is_closing():
            self._idle.append(wire)
            return
        self._all.discard(wire)
        wire.writer.transport.abort()

    def close(self) -> None:
        for wire in list(self._all):
            self.give_back(wire, keep=False)
        self._idle.clear()


def _reason(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if isinstance(error, TimeoutError):
        return "no connection within the time given"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    return os.strerror(number) if number else str(error) or type(error).__name__


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while True:
        line = await reader.readuntil(b"\r\n")
        size = int(line.partition(b";")[0].strip(), 16)
        if size == 0:
            while (await reader.readuntil(b"\r\n")) != b"\r\n":
                pass  # trailers
            return
        while size:
            piece = await reader.read(min(size, _PIECE))
            if not piece:
                raise asyncio.IncompleteReadError(b"", size)
            size -= len(piece)
            yield piece
        await reader.readexactly(2)
