"""The journal codec: frames to bytes and back, without I/O.

A journal is a text line of fixed length, the same line again, and then records of frames in the order of their
sequence numbers:

    mcptest-journal 1.0 seed=5f1c09aa crc=0badf00d\\n
    mcptest-journal 1.0 seed=5f1c09aa crc=0badf00d\\n
    record*

    record := magic[4] channel:u8 flags:u8 meta_length:u16 conn:u32 seq:u64 at:u64 mono:u64 data_length:u32 crc:u32
              meta data                                                     (integers little-endian)

Lines that arrived together and hold no secret are kept in one record with the flag LINES: its data is the lines
joined by newlines, the first has the record's sequence number and the others count on from it.

A record's CRC-32 runs over everything in it but the CRC itself and starts from the file's random seed. A damaged
record is skipped by looking for the next one whose CRC holds; because of the seed, a hostile payload that contains a
forged record cannot pass for one. The line stands twice so that a flipped bit cannot hide the seed.
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import NamedTuple

from mcptest.errors import CaptureError
from mcptest.wire.frame import CHANNELS, LINES, Frame

MAJOR, MINOR = 1, 0
MAX_DATA = 128 << 20  # longer frames are split by the recorder, so a larger length is damage

_MAGIC = b"\xabMJ\x1e"
_HEAD = struct.Struct("<4sBBHIQQQI")
_CRC = struct.Struct("<I")
_RECORD = struct.Struct("<4sBBHIQQQII")
RECORD_HEAD = _RECORD.size
_LINE = re.compile(rb"(mcptest-journal (\d)\.\d seed=([0-9a-f]{8})) crc=([0-9a-f]{8})\n")
_LINE_SIZE = len(b"mcptest-journal 1.0 seed=00000000 crc=00000000\n")
PREAMBLE_SIZE = 2 * _LINE_SIZE
_EFFORT, _LEAST_EFFORT = 4, 16 << 20  # in bytes per byte, and bytes


class Damage(NamedTuple):
    """Bytes that are no whole record. Torn: they end the file, as after a crash; otherwise they are in its middle."""

    offset: int
    length: int
    torn: bool


class Decoded(NamedTuple):
    frames: list[Frame]
    damage: list[Damage]
    consumed: int


def preamble(seed: int) -> bytes:
    text = b"mcptest-journal %d.%d seed=%08x" % (MAJOR, MINOR, seed)
    return (b"%s crc=%08x\n" % (text, zlib.crc32(text))) * 2


def read_seed(start: bytes, where: str) -> int:
    """The file's seed from its first PREAMBLE_SIZE bytes; CaptureError if the file is foreign or newer."""
    newer = re.match(rb"mcptest-journal (\d+)\.", start)
    if newer and int(newer[1]) > MAJOR:
        raise CaptureError(
            f"{where} is in journal format {int(newer[1])}, this mcptest reads up to {MAJOR}: upgrade mcptest"
        )
    for line in (start[:_LINE_SIZE], start[_LINE_SIZE:PREAMBLE_SIZE]):
        match = _LINE.fullmatch(line)
        if match and zlib.crc32(match[1]) == int(match[4], 16):
            return int(match[3], 16)
    raise CaptureError(f"{where} is not an mcptest journal, or its first lines are damaged")


def encode(frame: Frame, seed: int) -> list[bytes]:
    """The record's parts, not joined, so that large data is not copied."""
    seq, at, mono, conn, channel, flags, data, meta = frame
    head = _HEAD.pack(_MAGIC, channel, flags, len(meta), conn, seq, at, mono, len(data))
    crc = zlib.crc32(head, seed)
    if meta:
        crc = zlib.crc32(meta, crc)
    return [head, _CRC.pack(zlib.crc32(data, crc)), meta, data]


def decode(buffer: bytes, seed: int, *, base: int = 0, final: bool = False) -> Decoded:
    """The whole records in a stretch of a journal that starts at a record (at offset `base` of the file).

    What follows the last whole record is left unconsumed unless `final`: it may still be being written.
    """
    frames: list[Frame] = []
    damage: list[Damage] = []
    position, end = 0, len(buffer)
    crc32, unpack = zlib.crc32, _RECORD.unpack_from
    new = tuple.__new__  # makes a NamedTuple at a third of the price of calling its class
    while position < end:
        if end - position >= RECORD_HEAD:
            magic, channel, flags, meta_length, conn, seq, at, mono, length, crc = unpack(buffer, position)
            body = position + RECORD_HEAD
            after = body + meta_length + length
            if after <= end and magic == _MAGIC:
                meta = buffer[body : body + meta_length] if meta_length else b""
                data = buffer[body + meta_length : after]
                actual = crc32(buffer[position : position + _HEAD.size], seed)
                if meta:
                    actual = crc32(meta, actual)
                if crc32(data, actual) == crc:
                    if flags & LINES:
                        flags &= ~LINES
                        lines = enumerate(data.split(b"\n"), seq)
                        frames += [new(Frame, (n, at, mono, conn, channel, flags, line, b"")) for n, line in lines]
                    else:
                        frames.append(new(Frame, (seq, at, mono, conn, channel, flags, data, meta)))
                    position = after
                    continue
        following = _next_record(buffer, position + 1, seed)
        if following is not None:
            damage.append(Damage(base + position, following - position, torn=False))
            position = following
        elif final or not _may_grow(buffer, position):
            damage.append(Damage(base + position, end - position, torn=True))
            position = end
        else:
            break
    return Decoded(frames, damage, position)


def _may_grow(buffer: bytes, position: int) -> bool:
    """Could these last bytes be the beginning of a record that is still being written?"""
    rest = len(buffer) - position
    if rest < RECORD_HEAD:
        return True
    magic, channel, _, _, _, _, _, _, length, _ = _RECORD.unpack_from(buffer, position)
    if magic == _MAGIC and channel in CHANNELS and length <= MAX_DATA:
        return True
    # Damage at the very end: wait for a whole record behind it, within reason.
    return rest <= MAX_DATA


def _next_record(buffer: bytes, start: int, seed: int) -> int | None:
    """Where the next record with a sound CRC begins. A forged journal could be nothing but heads of long records, each
    to be tried in turn: the search is given up when it has read several times what there is."""
    end = len(buffer)
    effort = _LEAST_EFFORT + _EFFORT * (end - start)
    while effort > 0 and (at := buffer.find(_MAGIC, start)) >= 0:
        if end - at < RECORD_HEAD:
            return None
        meta_length, length, crc = (_RECORD.unpack_from(buffer, at)[i] for i in (3, 8, 9))
        after = at + RECORD_HEAD + meta_length + length
        if after <= end:
            effort -= after - at
            actual = zlib.crc32(buffer[at : at + _HEAD.size], seed)
            if zlib.crc32(buffer[at + RECORD_HEAD : after], actual) == crc:
                return at
        start = at + 1
    return None
