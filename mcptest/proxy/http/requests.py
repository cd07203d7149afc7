"""Requests on their way through the relay: where each one begins and ends, and nothing that could be read two ways.

A reverse proxy must find every request's head to put the server's name into it, so it must know exactly where bodies
end. Whatever the server might understand differently (two lengths, folded headers, bare line ends, odd chunk sizes)
is refused, and only bytes that were understood are forwarded. Bodies pass as they come.

Only light modules are imported here: this runs in the process that carries the traffic.
"""

import re
from collections.abc import Callable

from mcptest.proxy.http.channels import REQUEST, REQUEST_DATA, REQUEST_LAST, REQUEST_WHOLE
from mcptest.proxy.http.local import is_local_origin

HEAD_LIMIT = 64 << 10
_CHUNK_LINE_LIMIT = 4 << 10
_CACHED = 256

_TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_LINES = rb"(?:" + _TOKEN + rb":[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n"
_HEAD = re.compile(rb"(" + _TOKEN + rb") ([\x21-\x7e\x80-\xff]+) HTTP/1\.([01])\r\n" + _LINES)
_TRAILERS = re.compile(_LINES)
_KNOWN = re.compile(
    rb"^(host|content-length|transfer-encoding|origin|upgrade|http2-settings):[ \t]*([^\r]*?)[ \t]*\r\n", re.I | re.M
)
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?\r\n")
_LENGTH = re.compile(rb"[0-9]{1,18}")
_OTHER_VERSION = re.compile(_TOKEN + rb" \S+ HTTP/(?!1\.[01]\r)[0-9.]+\r\n")

_Known = dict[bytes, list[re.Match[bytes]]]


class Refusal(Exception):  # noqa: N818  (the peer is at fault, not we)
    """A request that is not passed on: the status to answer with and, for the record, why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Rewritten:
    """A head as it is sent on, and how its body is framed."""

    __slots__ = ("chunked", "data", "length")

    def __init__(self, data: bytes, length: int, chunked: bool) -> None:
        self.data, self.length, self.chunked = data, length, chunked


class Heads:
    """Checks heads and puts the server's name into them. Clients repeat themselves, so results are kept."""

    def __init__(self, authority: bytes, is_local: Callable[[bytes], bool]) -> None:
        self._authority = authority
        self._is_local = is_local
        self._seen: dict[bytes, Rewritten] = {}

    def rewrite(self, head: bytes) -> Rewritten:
        found = self._seen.get(head)
        if found is None:
            found = self._check(head)
            if len(self._seen) >= _CACHED:
                self._seen.clear()
            self._seen[head] = found
        return found

    def _check(self, head: bytes) -> Rewritten:
        match = _HEAD.fullmatch(head)
        if match is None:
            raise _fault(head)
        method, target, minor = match.groups()
        if method == b"CONNECT" or not (target.startswith(b"/") or target == b"*"):
            raise Refusal(403, "the target names another server")
        known: _Known = {}
        for header in _KNOWN.finditer(head):
            known.setdefault(header[1].lower(), []).append(header)
        self._check_sender(known, minor)
        length, chunked = _body(known, minor)
        return Rewritten(self._with_authority(head, known), length, chunked)

    def _check_sender(self, known: _Known, minor: bytes) -> None:
        hosts = known.get(b"host", [])
        if len(hosts) > 1 or (not hosts and minor == b"1"):
            raise Refusal(400, "not exactly one Host")
        if hosts and not self._is_local(hosts[0][2]):
            raise Refusal(403, "a foreign Host")
        for origin in known.get(b"origin", []):
            if not is_local_origin(origin[2], self._is_local):
                raise Refusal(403, "a foreign Origin")

    def _with_authority(self, head: bytes, known: _Known) -> bytes:
        edits = [(*header.span(2), self._authority) for header in known.get(b"host", [])]
        # An upgrade is agreed with the next hop, which is us, and we speak no other protocol.
        for name in (b"upgrade", b"http2-settings"):
            edits += [(*header.span(), b"") for header in known.get(name, [])]
        for start, end, text in sorted(edits, reverse=True):
            head = head[:start] + text + head[end:]
        return head


def _body(known: _Known, minor: bytes) -> tuple[int, bool]:
    """The body's length, and whether it comes in chunks instead."""
    lengths, codings = known.get(b"content-length", []), known.get(b"transfer-encoding", [])
    if codings:
        if lengths:
            raise Refusal(400, "both Content-Length and Transfer-Encoding")
        if minor == b"0" or len(codings) > 1 or codings[0][2].lower() != b"chunked":
            raise Refusal(400, "an unknown Transfer-Encoding")
        return 0, True
    if len(lengths) > 1:
        raise Refusal(400, "more than one Content-Length")
    if lengths and not _LENGTH.fullmatch(lengths[0][2]):
        raise Refusal(400, "a Content-Length that is no number")
    return int(lengths[0][2]) if lengths else 0, False


def _fault(head: bytes) -> Refusal:
    """Why a head does not fit the grammar, as well as it can be said."""
    if _OTHER_VERSION.match(head):
        return Refusal(505, "a version other than HTTP/1.0 and HTTP/1.1")
    if re.search(rb"\r(?!\n)|(?<!\r)\n", head):
        return Refusal(400, "a bare CR or LF")
    if re.search(rb"\r\n[ \t]", head):
        return Refusal(400, "a folded header")
    return Refusal(400, "a malformed request line or header")


class Requests:
    """Feed it what a client sends: it fills `forward` with what the server gets and `records` with what is copied.

    Raises Refusal, after which nothing more may be fed; `pending` then begins with what was not understood.
    """

    __slots__ = ("_begun", "_heads", "_left", "_parts", "_step", "forward", "in_request", "pending", "records")

    def __init__(self, heads: Heads) -> None:
        self._heads = heads
        self._step: Callable[[bytes], bytes | None] = self._head
        self._left = 0
        self._parts: list[bytes] = []  # of the record that is being made
        self._begun = False  # whether that record starts with a head
        self.pending = b""
        self.in_request = False
        self.forward: list[bytes] = []
        self.records: list[tuple[int, bytes]] = []

    def feed(self, data: bytes) -> None:
        if self.pending:
            data = self.pending + data
            self.pending = b""
        try:
            while data:
                rest = self._step(data)
                if rest is None:
                    self.pending = data
                    break
                data = rest
        except Refusal:
            self.pending = data
            raise
        finally:
            if self._parts:
                self._record(REQUEST if self._begun else REQUEST_DATA)

    # Each step takes the bytes not yet understood and gives back what it left of them, None if it needs more.

    def _head(self, data: bytes) -> bytes | None:
        if data[0] in b"\r\n":
            return self._blank_line(data)
        end = data.find(b"\r\n\r\n", 0, HEAD_LIMIT) + 4
        if end < 4:
            if len(data) >= HEAD_LIMIT:
                raise Refusal(431, f"a head of more than {HEAD_LIMIT} bytes")
            if b"\n\n" in data or b"\0" in data:
                raise Refusal(400, "a bare CR or LF")
            return None
        head = data[:end]
        rewritten = self._heads.rewrite(head)
        self.forward.append(rewritten.data)
        self._parts.append(head)
        self._begun = self.in_request = True
        if rewritten.chunked:
            self._step = self._chunk_size
        elif rewritten.length:
            self._left = rewritten.length
            self._step = self._length
        else:
            self._end()
        return data[end:]

    def _blank_line(self, data: bytes) -> bytes | None:
        """Clients of old sent one between requests; it is not passed on."""
        if data[:2] == b"\r\n":
            return data[2:]
        if data == b"\r":
            return None
        raise Refusal(400, "a bare CR or LF")

    def _length(self, data: bytes) -> bytes:
        rest = self._body(data)
        if not self._left:
            self._end()
        return rest

    def _chunk_size(self, data: bytes) -> bytes | None:
        end = data.find(b"\n", 0, _CHUNK_LINE_LIMIT) + 1
        if not end and len(data) < _CHUNK_LINE_LIMIT:
            return None
        match = _CHUNK.fullmatch(data, 0, end)
        if match is None:
            raise Refusal(400, "a malformed chunk size")
        self.forward.append(match[0])
        self._left = int(match[1], 16)
        self._step = self._chunk if self._left else self._trailers
        return data[end:]

    def _chunk(self, data: bytes) -> bytes:
        rest = self._body(data)
        if not self._left:
            self._step = self._chunk_end
        return rest

    def _chunk_end(self, data: bytes) -> bytes | None:
        if not b"\r\n".startswith(data[:2]):
            raise Refusal(400, "a chunk that is longer than it says")
        if len(data) < 2:
            return None
        self.forward.append(b"\r\n")
        self._step = self._chunk_size
        return data[2:]

    def _trailers(self, data: bytes) -> bytes | None:
        end = 2 if data.startswith(b"\r\n") else data.find(b"\r\n\r\n", 0, HEAD_LIMIT) + 4
        if end == 3:
            if len(data) >= HEAD_LIMIT:
                raise Refusal(431, f"trailers of more than {HEAD_LIMIT} bytes")
            return None
        if not _TRAILERS.fullmatch(data, 0, end):
            raise Refusal(400, "malformed trailers")
        self.forward.append(data[:end])
        self._end()
        return data[end:]

    def _body(self, data: bytes) -> bytes:
        part = data[: self._left]
        self._left -= len(part)
        self.forward.append(part)
        self._parts.append(part)
        return data[len(part) :]

    def _end(self) -> None:
        self._record(REQUEST_WHOLE if self._begun else REQUEST_LAST)
        self._step = self._head
        self.in_request = False

    def _record(self, channel: int) -> None:
        parts = self._parts
        self.records.append((channel, parts[0] if len(parts) == 1 else b"".join(parts)))
        parts.clear()
        self._begun = False
