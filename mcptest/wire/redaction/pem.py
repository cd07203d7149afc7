"""Private keys in PEM: the whole block goes, with its line ends raw or escaped.

On stderr a block comes line by line, each a frame of its own. So a block that is still open at the end of a frame
is remembered, and lines of its alphabet go until it is closed.
"""

from __future__ import annotations

import re

from mcptest.wire.redaction.literals import PEM as LITERAL
from mcptest.wire.redaction.scan import Scan

_BEGIN = re.compile(rb"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(rb"-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
# A key that was cut: prose behind the words "BEGIN PRIVATE KEY" has spaces.
_CUT = re.compile(rb"(?:[\r\n]|\\{1,7}[nrt])*+(?!redacted-)(?:[A-Za-z0-9+/=\r\n]|\\{1,7}[nrt/])*+|")
_LAST_LINE = re.compile(rb"\s*([A-Za-z0-9+/=]{1,128})\s*")
_LONG_RUN = re.compile(rb"[A-Za-z0-9+/]{40,}+={0,2}")
_LONGEST = 1 << 16
_MOST_LINES = 512


def hide_block(scan: Scan, at: int) -> bool:
    """Hide the private key that begins here. True if the data ended before the key did."""
    data = scan.data
    begin = _BEGIN.match(data, at)
    if begin is None:
        return False
    end = _END.match(data, _next_end(scan, begin.end()))
    if end and end.end() - at < _LONGEST and data.find(b'"', begin.end(), end.start()) < 0:
        stop = end.end()
    else:
        end, stop = None, _CUT.match(data, begin.end()).end()  # type: ignore[union-attr]  # matches the empty string
    if stop > begin.end() and data[begin.end() : stop].strip():
        scan.hide_known(at, stop)
    return end is None and stop == len(data)


def _next_end(scan: Scan, at: int) -> int:
    if scan.pem_end is None or scan.pem_end < at:
        found = scan.data.find(b"-----END ", at)
        scan.pem_end = found if found >= 0 else len(scan.data)
    return scan.pem_end


class OpenBlock:
    """A private key of which only the beginning has come."""

    def __init__(self) -> None:
        self.lines_left = 0

    def begin(self) -> None:
        self.lines_left = _MOST_LINES

    def hide_line(self, scan: Scan) -> None:
        """Hide what goes on with the key in this frame, which may be another stream's."""
        self.lines_left -= 1
        data = scan.data
        if data.lstrip()[:1] in (b"{", b"[") or LITERAL in data:
            return
        if b"-----END " in data:
            self.lines_left = 0
        line = _LAST_LINE.fullmatch(data)
        for start, end in [line.span(1)] if line else [run.span() for run in _LONG_RUN.finditer(data)]:
            scan.hide_known(start, end)
