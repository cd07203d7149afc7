"""The stdio framing: one line is one frame, split on the newline byte only.

Partial reads are kept in a list until their newline comes, so a long line costs one join, however it was cut.
"""

from __future__ import annotations


class Lines:
    """Cut a stream of chunks into lines; whatever the chunking, the same bytes give the same lines."""

    __slots__ = ("_parts", "pending")

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.pending = 0

    def feed(self, chunk: bytes) -> tuple[bytes | None, bytes | None]:
        """What this chunk completes: the line that earlier chunks began, if any, and then the whole lines within
        the chunk as one block, joined by their newlines."""
        last = chunk.rfind(b"\n")
        if last < 0:
            self._parts.append(chunk)
            self.pending += len(chunk)
            return None, None
        begun, start = None, 0
        if self._parts:
            first = chunk.find(b"\n")
            self._parts.append(chunk[:first])
            begun = b"".join(self._parts)
            self._parts.clear()
            start = first + 1
        block = chunk[start:last] if start <= last else None
        rest = chunk[last + 1 :]
        if rest:
            self._parts.append(rest)
        self.pending = len(rest)
        return begun, block

    def take(self) -> bytes:
        """Everything since the last newline, leaving nothing."""
        rest = b"".join(self._parts)
        self._parts.clear()
        self.pending = 0
        return rest
