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

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completes, without their newlines."""
        if b"\n" not in chunk:
            self._parts.append(chunk)
            self.pending += len(chunk)
            return []
        lines = chunk.split(b"\n")
        rest = lines.pop()
        if self._parts:
            self._parts.append(lines[0])
            lines[0] = b"".join(self._parts)
            self._parts.clear()
        if rest:
            self._parts.append(rest)
        self.pending = len(rest)
        return lines

    def take(self) -> bytes:
        """Everything since the last newline, leaving nothing."""
        rest = b"".join(self._parts)
        self._parts.clear()
        self.pending = 0
        return rest
