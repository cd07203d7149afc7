"""The rows that a session is derived into.

The deriver writes most of them as plain tuples in the order of these fields, and a capture's tables have the same
columns (each with the session before them): a capture is folded at some hundred thousand messages a second.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class FrameRow(NamedTuple):
    """A frame that is not exactly one message: text if it is UTF-8, bytes otherwise."""

    seq: int
    at: int
    mono: int
    conn: int
    channel: int
    flags: int
    text: str | None
    data: bytes | None
    meta: str | None


class MessageRow(NamedTuple):
    """One message. `whole`: its frame holds this and nothing else, and so has no FrameRow. `answers` is the method
    of the request that a response answers; `error` says why a message is malformed; `raw` is None if not UTF-8."""

    seq: int
    batch: int | None
    at: int
    mono: int
    conn: int
    channel: int
    flags: int
    kind: str
    id_type: str | None
    id: str | None
    method: str | None
    answers: str | None
    size: int
    error: str | None
    raw: str | None
    whole: bool
    meta: str | None


class ErrorRow(NamedTuple):
    """Something that went wrong on the wire: a JSON-RPC error, a tool's result with isError, or a malformed message."""

    seq: int
    batch: int | None
    at: int
    sender: str
    kind: str  # protocol, tool, malformed
    code: int | None
    message: str | None


class GapRow(NamedTuple):
    seq: int
    at: int
    channel: str | None
    frames: int
    bytes: int
    reason: str | None


class DamageRow(NamedTuple):
    """Something wrong with the journal: bytes that are no record, or sequence numbers that are missing or repeated."""

    kind: str  # corrupt, missing, repeated
    offset: int | None
    length: int | None
    first_seq: int | None
    last_seq: int | None


class Repair(NamedTuple):
    """A response given out earlier turned out to answer a request that was recorded after it."""

    answers: str
    seq: int
    batch: int | None


@dataclass(slots=True)
class Rows:
    """What a stretch of frames adds. `exchanges` are new; `changed` replace those with the same place."""

    frames: list[tuple[Any, ...]] = field(default_factory=list)
    messages: list[tuple[Any, ...]] = field(default_factory=list)
    exchanges: list[tuple[Any, ...]] = field(default_factory=list)
    changed: list[tuple[Any, ...]] = field(default_factory=list)
    errors: list[tuple[Any, ...]] = field(default_factory=list)
    gaps: list[tuple[Any, ...]] = field(default_factory=list)
    damage: list[tuple[Any, ...]] = field(default_factory=list)
    items: list[tuple[Any, ...]] = field(default_factory=list)
    http: list[tuple[Any, ...]] = field(default_factory=list)
    http_known: list[int] = field(default_factory=list)  # of those, the ones that replace a row given out before
    repairs: list[Repair] = field(default_factory=list)
    definitions: dict[str, str] = field(default_factory=dict)  # digest to text
    size: int = 0  # bytes of all messages and frames
    unclean: bool = False  # some text has half a surrogate pair in it, which is no UTF-8
