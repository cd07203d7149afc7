"""What rules look at below the messages: frames as they crossed the wire, and what happened to the connection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from mcptest.wire.frame import PARTIAL, PROXY

if TYPE_CHECKING:
    from mcptest.compliance.known import Known
    from mcptest.compliance.subjects import Message


class Line:
    """A frame that carries messages, as it crossed the wire: a line on stdio, a body or an event over HTTP. `reason`
    says why it holds no message at all, `array` whether it is a batch; `data` is all of its bytes."""

    __slots__ = ("array", "conn", "data", "flags", "known", "messages", "mono", "reason", "revision", "sender", "seq",
                 "synthetic")  # fmt: skip

    kind = "frame"
    pointer = ""

    def __init__(
        self,
        sender: str,
        data: bytes,
        seq: int,
        mono: int,
        conn: int,
        flags: int,
        messages: tuple[Message, ...],
        revision: str,
        known: Known,
        reason: str | None,
        array: bool,
        synthetic: bool,
    ) -> None:
        self.sender, self.data, self.seq, self.mono, self.conn, self.flags = sender, data, seq, mono, conn, flags
        self.messages, self.revision, self.known = messages, revision, known
        self.reason, self.array, self.synthetic = reason, array, synthetic

    @property
    def name(self) -> str:
        return f"a line of the {self.sender}"

    @property
    def partial(self) -> bool:
        """The stream ended without a newline after this."""
        return bool(self.flags & PARTIAL)

    @property
    def raw(self) -> bytes:
        return self.data

    @property
    def place(self) -> Line:
        return self

    @property
    def frames(self) -> tuple[int, ...]:
        return (self.seq,)


class Fault(NamedTuple):
    """Something that a peer could not take for a message; `code` is the error it should have got, None where that is
    open, as for a batch."""

    line: Line | Message
    code: int | None

    @property
    def seq(self) -> int:
        return self.line.seq


class Event:
    """Something that happened to the connection: `what` (spawn, eof, signal, exit, end, ...) and what is said of it;
    a line of stderr is an event called stderr, with its bytes as `raw`."""

    __slots__ = ("about", "mono", "raw", "revision", "seq", "what")

    kind = "event"
    pointer = ""
    sender = PROXY
    synthetic = False

    def __init__(self, what: str, about: Mapping[str, Any], raw: bytes, seq: int, mono: int, revision: str) -> None:
        self.what, self.about, self.raw, self.seq, self.mono, self.revision = what, about, raw, seq, mono, revision

    @property
    def name(self) -> str:
        return self.what

    @property
    def place(self) -> Event:
        return self

    @property
    def frames(self) -> tuple[int, ...]:
        return (self.seq,)
