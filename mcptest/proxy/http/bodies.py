"""Bodies for the record: decoded, and bounded whatever a peer sends."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache

from mcptest.wire.heads import EVENT_STREAM, FORM, is_json

LARGEST = 32 << 20  # a readable body beyond this is kept in part
SAMPLE = 64 << 10  # what is kept of one that is too large, or not readable
ALL_TOGETHER = 96 << 20  # what bodies that are still coming may take, beyond which they are kept in part
_PIECE = 256 << 10
_MOST_CODINGS = 3
_CUT_WINDOW = 4 << 10
_GLANCE = 4 << 10
_READABLE = ("text/", "application/xml", "application/javascript", "application/yaml")


class Undecodable(Exception):  # noqa: N818  (the peer is at fault, not we)
    """The content is not what its encoding says, or in an encoding that is unknown here."""


class Budget:
    """The memory that all unfinished bodies and events share."""

    def __init__(self, size: int = ALL_TOGETHER) -> None:
        self.left = size


class Body:
    """Collects a body. `size` counts its bytes as sent, `length` as decoded; `cut` says that not all of it is kept."""

    def __init__(self, content_type: str, encoding: str, budget: Budget) -> None:
        self._decode = decoder(encoding)
        self._budget = budget
        self._limit = LARGEST if is_readable(content_type) else SAMPLE
        self._parts: list[bytes] = []
        self._held = 0
        self.size = self.length = 0
        self.cut = False
        self.fault: str | None = None

    def feed(self, data: bytes) -> None:
        self.size += len(data)
        if self.fault or self.cut or not data:
            return
        if self._decode is _identity:
            self._keep(data)
            return
        try:
            for piece in self._decode(data):
                if not self._keep(piece):
                    return
        except Undecodable as error:
            self.fault = str(error)

    def _keep(self, piece: bytes) -> bool:
        """False if that is too much."""
        size = len(piece)
        self.length += size
        if self._held + size > self._limit or size > self._budget.left:
            self._sample(piece)
            return False
        self._parts.append(piece)
        self._held += size
        self._budget.left -= size
        return True

    def beginning(self) -> bytes:
        """Of what has come so far."""
        return self._parts[0][:_GLANCE] if self._parts else b""

    def take(self) -> bytes:
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        self._budget.left += self._held
        self._held = 0
        return data

    def _sample(self, piece: bytes) -> None:
        """Too much: keep the beginning, cut where a secret is least likely to be."""
        self.cut = True
        sample = (self.take() + piece)[:SAMPLE]
        window = len(sample) - _CUT_WINDOW
        at = max(sample.rfind(b" ", window), sample.rfind(b',"', window), sample.rfind(b"\n", window))
        self._parts.append(sample[: at if at > 0 else window])


@lru_cache(maxsize=64)
def is_readable(content_type: str) -> bool:
    return (
        not content_type
        or is_json(content_type)
        or content_type in (FORM, EVENT_STREAM)
        or content_type.startswith(_READABLE)
    )


Decode = Callable[[bytes], Iterator[bytes]]


def decoder(encoding: str) -> Decode:
    """A function that takes the encoded stream chunk by chunk and gives the decoded one in pieces of bounded size."""
    if not encoding:
        return _identity
    codings = [coding.strip().lower() for coding in encoding.split(",") if coding.strip()]
    decode: Decode = _identity
    for coding in reversed([coding for coding in codings if coding != "identity"][-_MOST_CODINGS:]):
        decode = _chain(decode, _CODINGS.get(coding, _unknown)())
    return decode if len(codings) <= _MOST_CODINGS else _unknown()


def _chain(first: Decode, second: Decode) -> Decode:
    if first is _identity:
        return second

    def both(data: bytes) -> Iterator[bytes]:
        for piece in first(data):
            yield from second(piece)

    return both


def _identity(data: bytes) -> Iterator[bytes]:
    if data:
        yield data


def _unknown() -> Decode:
    def decode(_: bytes) -> Iterator[bytes]:
        raise Undecodable("unknown Content-Encoding")

    return decode


def _zlib(bits: int) -> Decode:
    stream = zlib.decompressobj(bits)

    def decode(data: bytes) -> Iterator[bytes]:
        nonlocal stream
        while True:
            try:
                piece = stream.decompress(data, _PIECE)
            except zlib.error as error:
                raise Undecodable(str(error)) from error
            if piece:
                yield piece
            data = stream.unconsumed_tail
            if stream.eof:
                data = stream.unused_data
                stream = zlib.decompressobj(bits)
            if not data and len(piece) < _PIECE:
                return

    return decode


def _deflate() -> Decode:
    """The zlib format by definition, but some send its contents bare: the first two bytes tell."""
    start = b""
    inner: Decode | None = None

    def decode(data: bytes) -> Iterator[bytes]:
        nonlocal start, inner
        if inner is None:
            start += data
            if len(start) < 2:
                return
            is_wrapped = start[0] & 15 == 8 and int.from_bytes(start[:2]) % 31 == 0
            inner, data = _zlib(zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS), start
        yield from inner(data)

    return decode


def _brotli() -> Decode:
    import brotli

    stream = brotli.Decompressor()

    def decode(data: bytes) -> Iterator[bytes]:
        try:
            while True:
                piece = stream.process(data, output_buffer_limit=_PIECE)
                data = b""
                if piece:
                    yield piece
                if stream.can_accept_more_data():
                    return
        except brotli.error as error:
            raise Undecodable(str(error)) from error

    return decode


def _zstd() -> Decode:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    stream = zstd.ZstdDecompressor()

    def decode(data: bytes) -> Iterator[bytes]:
        nonlocal stream
        try:
            while True:
                piece = stream.decompress(data, _PIECE)
                data = b""
                if piece:
                    yield piece
                if stream.eof:
                    data = stream.unused_data
                    stream = zstd.ZstdDecompressor()
                    if not data:
                        return
                elif stream.needs_input:
                    return
        except zstd.ZstdError as error:
            raise Undecodable(str(error)) from error

    return decode


_CODINGS: dict[str, Callable[[], Decode]] = {
    "gzip": lambda: _zlib(zlib.MAX_WBITS | 16),
    "x-gzip": lambda: _zlib(zlib.MAX_WBITS | 16),
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
