"""What a session over HTTP adds to its messages: exchanges and events, handed on when they happen.

Both HTTP transports begin alike, and a rule of the one must not judge the other. So HTTP's own subjects wait until it
is known which it is. An `endpoint` event makes it HTTP+SSE. A POST that is let in makes it Streamable HTTP if it asks
for a stream or has a header of that transport, or if the answer comes back with it. Where nothing tells, as in a
capture that begins in the middle, it is neither, and no rule of either judges it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcptest.compliance.carriage import Carriage, has_body, is_marked
from mcptest.compliance.history import History
from mcptest.compliance.http import HttpExchange, SseEvent
from mcptest.compliance.outbox import Emit
from mcptest.compliance.revision import UNKNOWN, Settled
from mcptest.compliance.subjects import Message
from mcptest.protocol import REVISIONS, STATELESS_REVISIONS
from mcptest.wire import Frame
from mcptest.wire.frame import CLIENT, PROXY, REQUEST, REQUEST_BODY, RESPONSE, SERVER, SSE
from mcptest.wire.http import Http

# What happens: a request is there, its response's head is there, all is over; and one event of a stream.
HTTP_REQUEST, HTTP_RESPONSE, HTTP_END, SSE_EVENT = "http request", "http response", "http end", "sse event"
STREAMABLE, HTTP_SSE, UNKNOWN_HTTP = "streamable-http", "sse", "http"
OVER_HTTP = frozenset({STREAMABLE, HTTP_SSE, UNKNOWN_HTTP})

_MOST_WAITING = 10_000
_MOST_ASIDE = 1000

# Reads what a frame carries as messages.
ReadLine = Callable[[Frame, bytes, "HttpExchange | None"], "tuple[Message, ...]"]


class HttpSide:
    """`moved` is called when the transport turns out to be another than it was taken for."""

    def __init__(
        self, history: History, settled: Settled, emit: Emit, read_line: ReadLine, moved: Callable[[], None]
    ) -> None:
        self._history, self._settled, self._emit, self._read, self._moved = history, settled, emit, read_line, moved
        self._payloads = Http(rows=False)
        self._carriage = Carriage()
        self._waiting: list[tuple[str, str, str, Any]] | None = []
        self._told: set[int] = set()  # exchanges whose request was handed on
        self._marked = False  # a head was seen that only Streamable HTTP has
        history.http = self._carriage.open

    def begin(self, header: dict[str, Any]) -> None:
        self._carriage.recorded_for(header.get("target"))

    def frame(self, frame: Frame) -> None:
        """A frame of an HTTP channel."""
        payload = self._payloads.follow(frame)
        exchange = self._carriage.follow(frame)
        if payload is not None and not payload.strip():
            payload = None
        if exchange is None:
            if payload is not None:
                self._read(frame, payload, None)
            return
        if frame.channel == REQUEST:
            self._begin(exchange)
            return
        event = self._carriage.event(exchange, frame) if frame.channel == SSE else None
        if self._payloads.names_endpoint and self._history.transport != HTTP_SSE:
            self._history.transport = HTTP_SSE
            self._moved()
            self._release()
        if payload is not None and (event is None or event.repeats is None):
            self._carriage.speaks(exchange)
            # An id is unique in the whole session: the recorder keeps clients apart.
            messages = self._read(frame._replace(conn=0), payload, exchange)
            if event is not None:
                event.messages = messages
        self._hand_on(exchange, event, frame)

    def happened(self, frame: Frame) -> None:
        """An EVENT: an exchange may be over with it."""
        exchange = self._carriage.happened(frame)
        if exchange is not None:
            self._end(exchange)

    def finish(self) -> None:
        """The capture is over: what is open stays so."""
        for exchange in list(self._carriage.open.values()):
            self._end(exchange)
        self._carriage.open.clear()
        if self._waiting and not self._marked:
            self._history.transport = UNKNOWN_HTTP
            self._moved()
        self._release()

    # ---- one exchange

    def _begin(self, exchange: HttpExchange) -> None:
        claimed = exchange.header("mcp-protocol-version")
        if self._settled.current == UNKNOWN and claimed in REVISIONS and exchange.mcp:
            self._settled.current = claimed
        exchange.revision = claimed if claimed in STATELESS_REVISIONS and claimed is not None else self._settled.current
        if not has_body(exchange):
            self._asked(exchange)
        surplus = self._carriage.surplus()
        if surplus is not None:
            self._end(surplus)

    def _hand_on(self, exchange: HttpExchange, event: SseEvent | None, frame: Frame) -> None:
        channel = frame.channel
        if channel == REQUEST_BODY:
            self._asked(exchange)
        elif channel == RESPONSE and exchange.response_seq == frame.seq:
            if exchange.verb == "POST" and (exchange.status or 500) < 400 and is_marked(exchange):
                self._release()
            self._give(HTTP_RESPONSE, SERVER, exchange.verb, exchange)
        elif event is not None:
            event.revision = exchange.revision
            self._give(SSE_EVENT, SERVER, event.name, event)
        if self._carriage.ends_with(exchange, channel):
            self._carriage.end(exchange, frame, SERVER, "whole")
            self._end(exchange)

    def _asked(self, exchange: HttpExchange) -> None:
        if exchange.number in self._told:
            return
        self._told.add(exchange.number)
        if exchange.sent:
            exchange.revision = exchange.sent[0].revision
        self._give(HTTP_REQUEST, CLIENT, exchange.verb, exchange)

    def _end(self, exchange: HttpExchange) -> None:
        self._asked(exchange)
        self._told.discard(exchange.number)
        self._marked = self._marked or is_marked(exchange)
        if exchange.verb == "POST" and exchange.answers:
            self._release()
        if exchange.status is not None and exchange.status >= 400:
            for message in exchange.sent:
                self._history.turned_away(message)
        is_aside = not exchange.mcp or exchange.status in (401, 403)
        if is_aside and len(self._history.aside) < _MOST_ASIDE:
            self._history.aside.append(exchange)
        self._give(HTTP_END, PROXY, exchange.verb, exchange)

    # ---- handing on

    def _give(self, event: str, sender: str, method: str, subject: Any) -> None:
        if self._waiting is None:
            self._emit(event, sender, method, subject)
            return
        self._waiting.append((event, sender, method, subject))
        if len(self._waiting) > _MOST_WAITING:
            self._release()

    def _release(self) -> None:
        waiting, self._waiting = self._waiting, None
        for happening in waiting or ():
            self._emit(*happening)
