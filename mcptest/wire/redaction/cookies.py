"""Cookies: their names and attributes stay, their values go."""

from __future__ import annotations

import re

from mcptest.wire.redaction.encoding import decoded, encoded
from mcptest.wire.redaction.escapes import undone
from mcptest.wire.redaction.names import Kind
from mcptest.wire.redaction.scan import Scan
from mcptest.wire.redaction.values import is_loose

_PAIR = re.compile(rb"[^;]++")
_PARTS = re.compile(rb'\s*+([^=\s]++)\s*+=\s*+(?:\\*+")?(.*)', re.DOTALL)
_CLOSING = re.compile(rb'(?:\\{0,15}")?\s*\Z')
_ATTRIBUTES = frozenset(b"path domain expires max-age samesite secure httponly priority partitioned version".split())


def hide_cookies(scan: Scan, start: int, end: int) -> None:
    """`a=1; b=2` or `a=1; Path=/; HttpOnly`; a value of another shape goes as a whole unless it is a plain word."""
    value = scan.data[start:end]
    if b"=" not in value:
        if is_loose(encoded(undone(decoded(value), 4))):
            scan.hide_value(start, end, Kind.COOKIE, b"")
        return
    for pair in _PAIR.finditer(scan.data, start, end):
        parts = _PARTS.fullmatch(pair[0])
        if parts is None or parts[1].lower() in _ATTRIBUTES:
            continue
        value = parts[2]
        closing = _CLOSING.search(value[-32:])
        length = len(value) - (len(closing[0]) if closing else 0)
        first = pair.start() + parts.start(2)
        scan.hide_value(first, first + length, Kind.COOKIE, parts[1])
    scan.examined(start, end)
