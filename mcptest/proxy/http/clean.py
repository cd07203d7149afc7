"""Secrets out of heads and events, which are made of parts that mean different things."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcptest.wire.heads import Head, parse_head, render_head
from mcptest.wire.sse import parse_event, split_lines

if TYPE_CHECKING:
    from mcptest.wire.redaction import Redactor

_CACHED = 512
_LINE_ENDS = re.compile(rb"\r\n|\r|\n")


class Cleaner:
    """Heads repeat, so what was made of one is kept until the redactor has learned another secret."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._heads: dict[bytes, bytes] = {}
        self._version = -1

    def head(self, raw: bytes) -> bytes:
        if self._version != self._redactor.version or len(self._heads) > _CACHED:
            self._heads.clear()
            self._version = self._redactor.version
        shown = self._heads.get(raw)
        if shown is None:
            shown = self._head(raw)
            self._heads[raw] = shown
        return raw if shown == raw else shown

    def event(self, raw: bytes) -> bytes:
        """Data is redacted as the one text that its lines make up; all other lines for themselves."""
        redactor = self._redactor
        if not redactor.suspects(raw):
            return raw
        data = parse_event(raw).data or b""
        shown_data: bytes | None = redactor.frame(data)
        changed = shown_data is not data
        lines: list[bytes] = []
        for line in split_lines(raw):
            if line.partition(b":")[0] != b"data":
                shown = redactor.frame(line)
                changed |= shown is not line
                lines.append(shown)
            elif shown_data is not None:
                lines += [b"data: " + part for part in shown_data.split(b"\n")]
                shown_data = None
        return b"\n".join(lines) if changed else raw

    def _head(self, raw: bytes) -> bytes:
        """Malformed heads are kept, too: whatever their lines end with, each is looked at for itself."""
        lines = _LINE_ENDS.split(raw)
        ends = _LINE_ENDS.findall(raw)
        shown = self._well_formed(b"\r\n".join(lines)).split(b"\r\n")
        return b"".join(line + end for line, end in zip(shown, [*ends, b""], strict=True))

    def _well_formed(self, raw: bytes) -> bytes:
        head = parse_head(raw)
        return render_head(Head(self._start_line(head.start), tuple(self._redactor.headers(head.headers))))

    def _start_line(self, line: bytes) -> bytes:
        method, space, rest = line.partition(b" ")
        target, space_too, version = rest.rpartition(b" ")
        if not target or not version.startswith(b"HTTP/"):
            return self._redactor.frame(line)
        shown = self._redactor.url(target.decode("utf-8", "surrogateescape"))
        return method + space + shown.encode("utf-8", "surrogateescape") + space_too + version
