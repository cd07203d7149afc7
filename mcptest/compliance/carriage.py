"""Follows the HTTP exchanges of a session, frame by frame, and makes of them what rules look at."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from mcptest.compliance.http import HttpExchange, SseEvent
from mcptest.compliance.records import as_object
from mcptest.wire import Frame
from mcptest.wire.frame import REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY
from mcptest.wire.heads import EVENT_STREAM, parse_head
from mcptest.wire.sse import parse_event

_MOST_OPEN = 1000  # exchanges whose end is waited for, before the oldest is given up
_MOST_IDS = 100_000  # of events that may be delivered again
_MOST_PATHS = 64


class Carriage:
    """`open` are the exchanges that are not over. `paths` are those that MCP was spoken on."""

    def __init__(self) -> None:
        self.open: dict[int, HttpExchange] = {}
        self.paths: set[str] = set()
        self.origin = ""
        self._delivered: dict[str, tuple[int, int]] = {}  # events that had an id: the data's digest, and the frame

    def recorded_for(self, target: Any) -> None:
        """The server's address, from the session's header."""
        url = target.get("url") if type(target) is dict else None
        try:
            parts = urlsplit(url if type(url) is str else "")
        except ValueError:
            return
        self.origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    def follow(self, frame: Frame) -> HttpExchange | None:
        """The exchange that a frame belongs to, which knows the frame from now on; None if that cannot be told."""
        about = as_object(frame.meta) if frame.meta else {}
        number = about.get("x")
        if type(number) is not int:
            return None
        channel = frame.channel
        if channel == REQUEST:
            return self._request(frame, number, about)
        exchange = self.open.get(number)
        if exchange is None:
            return None
        if channel == REQUEST_BODY:
            exchange.body, exchange.body_seq, exchange.request_flags = frame.data, frame.seq, frame.flags
        elif channel == RESPONSE:
            head = parse_head(frame.data)
            if head.status is None or not 100 <= head.status < 200:
                exchange.response, exchange.response_seq, exchange.response_mono = head, frame.seq, frame.mono
        elif channel == RESPONSE_BODY:
            exchange.answer_body, exchange.answer_flags = frame.data, exchange.answer_flags | frame.flags
        return exchange

    def _request(self, frame: Frame, number: int, about: dict[str, Any]) -> HttpExchange:
        connection, origin = about.get("c", frame.conn), about.get("o")
        exchange = HttpExchange(
            number,
            connection if type(connection) is int else 0,
            parse_head(frame.data),
            frame.seq,
            frame.mono,
            origin if type(origin) is str else self.origin,
        )
        exchange.synthetic = about.get("synthetic") is True
        exchange.mcp = exchange.path in self.paths or is_marked(exchange)
        self.open[number] = exchange
        return exchange

    def speaks(self, exchange: HttpExchange) -> None:
        """It carries a message: so does its address."""
        exchange.mcp = True
        if len(self.paths) < _MOST_PATHS:
            self.paths.add(exchange.path)

    def event(self, exchange: HttpExchange, frame: Frame) -> SseEvent:
        """One event of a stream, and whether it was delivered before."""
        fields = parse_event(frame.data)
        event = SseEvent(exchange, fields, frame.data, frame.seq, frame.mono, frame.flags)
        if not event.is_comment:
            exchange.events += 1
            exchange.first_event = exchange.first_event or event
        exchange.retry = fields.retry if fields.retry is not None else exchange.retry
        if fields.id:
            exchange.last_id = fields.id
            digest = hash(fields.data)
            before = self._delivered.get(fields.id)
            if before is not None and before[0] == digest and exchange.verb == "GET":
                event.repeats = before[1]
            elif len(self._delivered) < _MOST_IDS:
                self._delivered[fields.id] = digest, frame.seq
        return event

    def ends_with(self, exchange: HttpExchange, channel: int) -> bool:
        """Is a response over with a frame of this channel?"""
        if channel == RESPONSE_BODY:
            return True
        if channel != RESPONSE or exchange.response is None or exchange.streams:
            return False
        return (
            exchange.status in (204, 304) or exchange.verb == "HEAD" or exchange.answer_header("content-length") == "0"
        )

    def happened(self, frame: Frame) -> HttpExchange | None:
        """An event of the recording: the exchange that is over with it."""
        about = as_object(frame.data)
        number = about.get("x")
        exchange = self.open.get(number) if type(number) is int else None
        if exchange is None:
            return None
        what, by, how = about.get("event"), about.get("by"), about.get("how")
        reason = about.get("reason")
        exchange.reason = reason[:200] if type(reason) is str else None
        by = by if by in ("client", "server", "mcptest") else None
        if what == "stream closed":
            self.end(exchange, frame, by, "whole" if how == "ended" else str(how or "closed"))
        elif what == "aborted":
            self.end(exchange, frame, by, str(how or "closed"))
        elif what in ("refused", "unreachable", "unreadable"):
            self.end(exchange, frame, "mcptest" if what == "refused" else by or "server", str(what))
        else:
            return None
        return exchange

    def end(self, exchange: HttpExchange, frame: Frame, by: str | None, how: str) -> None:
        exchange.ended, exchange.ended_mono, exchange.by, exchange.how = True, frame.mono, by, how
        self.open.pop(exchange.number, None)

    def surplus(self) -> HttpExchange | None:
        """An exchange to be given up, so that a peer's open ends do not fill the memory."""
        return self.open.pop(next(iter(self.open))) if len(self.open) > _MOST_OPEN else None


def has_body(exchange: HttpExchange) -> bool:
    """Will a body follow the request's head, as far as that says?"""
    length = exchange.header("content-length")
    if length is not None:
        return length.strip() != "0"
    return exchange.header("transfer-encoding") is not None or exchange.verb == "POST"


def is_marked(exchange: HttpExchange) -> bool:
    """Is it Streamable HTTP by its head alone? The protocol's version is not enough: it is also sent for metadata."""
    header = exchange.header
    if header("mcp-session-id") is not None or header("mcp-method") is not None or header("last-event-id") is not None:
        return True
    return exchange.verb == "POST" and EVENT_STREAM in (header("accept") or "").lower()
