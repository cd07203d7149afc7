"""Sessions as files, to hand to somebody else: one module per format, found by walking this folder.

A format is a module with a docstring and

    recognise(start)      whether a file that begins with these bytes is of this format
    read(file, where)     its frames, the header first; CaptureError with the place where it is damaged
    write(frames, file)   those frames, the header first, as that format; how many there were
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Protocol, cast

from mcptest import plugins
from mcptest.errors import CaptureError, UsageError
from mcptest.wire import Frame

__all__ = ["SNIFF", "Format", "get", "names", "recognise"]

SNIFF = 4096  # bytes that `recognise` is shown

_STRANGERS = (
    (b"mcptest-journal ", "a journal; put it into the capture's folder of journals (`mcptest capture path`) instead"),
    (b"\x1f\x8b", "compressed; decompress it first"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
)
_DUCKDB = (8, b"DUCK")  # DuckDB's magic bytes and where they stand


class Format(Protocol):
    @staticmethod
    def recognise(start: bytes) -> bool: ...
    @staticmethod
    def read(file: BinaryIO, where: str) -> Iterator[Frame]: ...
    @staticmethod
    def write(frames: Iterable[Frame], file: BinaryIO) -> int: ...


def names() -> list[str]:
    return plugins.names(__name__)


def get(name: str) -> Format:
    if name not in names():
        raise UsageError(f"no format {name!r}; there is: {', '.join(names())}")
    return cast(Format, plugins.load(__name__, name))


def recognise(start: bytes, where: str) -> Format:
    """The format of a file, told from its first SNIFF bytes; CaptureError if it is none of ours."""
    for name in names():
        found = get(name)
        if found.recognise(start):
            return found
    raise CaptureError(f"{where} is {_stranger(start)}")


def _stranger(start: bytes) -> str:
    if not start:
        return "empty"
    for magic, what in _STRANGERS:
        if start.startswith(magic):
            return what
    offset, magic = _DUCKDB
    if start[offset : offset + len(magic)] == magic:
        return "a DuckDB file; read a capture with --capture, import what `mcptest export` wrote"
    return f"no file that mcptest can import; it reads what `mcptest export` writes ({', '.join(names())})"
