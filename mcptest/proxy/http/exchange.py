"""One request and its answer on their way into the record."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

from mcptest.proxy.http.bodies import LARGEST, SAMPLE, Body, Decode, Undecodable, decoder
from mcptest.proxy.http.conversations import Conversation, Request, glance, look_into
from mcptest.wire.frame import PARTIAL, REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY, SSE
from mcptest.wire.heads import EVENT_STREAM, FORM, Head, parse_head
from mcptest.wire.sse import Events, parse_event

if TYPE_CHECKING:
    from mcptest.proxy.http.recorder import HttpRecorder, Lane

_ENDPOINT_TRIES = 4  # HTTP+SSE names its endpoint in the first event; keep-alives may come before it


class Moment(NamedTuple):
    at: int
    mono: int


class HttpExchange:
    """Told what happens, it finds its session and writes the frames.

    The session may be known by the head alone; otherwise the frames wait for the body, but not for long (`settle`).
    """

    def __init__(self, recorder: HttpRecorder, lane: Lane, raw: bytes, when: Moment) -> None:
        self.recorder, self.lane, self.when = recorder, lane, when
        self.seen = time.monotonic()  # the head or, after it, the beginning of the body
        self.body_began = False
        self._raw_head = raw
        self.head = parse_head(raw)
        self._body = recorder.body(self.head)
        self._body_done = False
        self._conversation: Conversation | None = None
        self.number = self._scope = 0
        self._meta = b""
        self._response: Head | None = None
        self._answer: Body | None = None
        self._events: Events | None = None
        self._decode: Decode | None = None
        self._events_seen = 0
        self._pending = 0  # bytes of an event that is not whole yet
        self._over = False
        self._opens = self._listens = False
        if recorder.conversations.named(lane.origin, self.head) is not None:
            self.settle()

    @property
    def is_settled(self) -> bool:
        return self._conversation is not None

    @property
    def is_answered(self) -> bool:
        return self._response is not None

    # ---- the request

    def request_data(self, data: bytes) -> None:
        if data and not self._body.size:
            self.body_began = True
            self.seen = time.monotonic()
        self._body.feed(data)

    def request_end(self, when: Moment) -> None:
        body = self._body
        self._body_done = True
        data = body.take()
        if self._conversation is None:
            self._find_session(data)
        if body.size:
            self._add_body(REQUEST_BODY, self.head, body, data, when)

    def settle(self) -> Conversation:
        """Find the session with what is known by now, if that has not happened."""
        if self._conversation is None:
            self._find_session(self._body.beginning())
        assert self._conversation is not None
        return self._conversation

    def _find_session(self, body: bytes) -> None:
        connection = self.lane.connection
        asked = look_into(self.head, body) if self._body_done else glance(body)
        is_whole = self._body_done or not self.head.announces_body
        request = Request(connection.number, connection.host, self.lane.origin, self.head, asked, is_whole)
        self._conversation = conversation = self.recorder.join(request, connection, self.when)
        self.number = conversation.next_exchange()
        # Ids are unique within a session that has a name; otherwise only the connection is certain to be one client's.
        self._scope = 0 if conversation.is_named else connection.number
        self._meta = b'{"x":%d,"c":%d}' % (self.number, connection.number)
        if self.lane.origin != conversation.origin:
            about = {"x": self.number, "c": connection.number, "o": self.lane.origin}
            self._meta = json.dumps(about).encode()
        self._opens = asked is not None and asked.method == conversation.opening
        self._listens = request.is_stream
        self._add(REQUEST, self._raw_head, self.when, clean="head")
        self._raw_head = b""

    # ---- the answer

    def interim(self, raw: bytes, when: Moment) -> None:
        self.settle()
        self._add(RESPONSE, raw, when, clean="head")

    def response(self, raw: bytes, when: Moment) -> None:
        conversation = self.settle()
        self._response = head = parse_head(raw)
        self._add(RESPONSE, raw, when, clean="head")
        status = head.status or 0
        session_id = head.get(b"mcp-session-id")
        if session_id is not None:
            self.recorder.conversations.name(conversation, session_id)
        if self._opens:
            conversation.refused = status >= 400
        if status >= 400:
            self.stop_listening()
        if self.head.method == "DELETE" and status < 400 and self.head.get(b"mcp-session-id") is not None:
            conversation.farewell = True
        self.recorder.count_answer(status)
        if head.content_type == EVENT_STREAM and status < 400:
            self._events = Events()
            self._decode = decoder(head.get(b"content-encoding") or "")
            self._event(when, event="stream opened")
        else:
            self._answer = self.recorder.body(head)

    def response_data(self, data: bytes, when: Moment) -> None:
        if self._answer is not None:
            self._answer.feed(data)
        elif self._events is not None and self._decode is not None:
            try:
                for piece in self._decode(data):
                    for event in self._events.feed(piece):
                        self._add_event(event, when)
                    self._bound_event(when)
            except Undecodable as error:
                self._decode = None
                self._event(when, event="unreadable", by="server", reason=str(error))

    def response_end(self, when: Moment) -> None:
        self._finish(when, by="server", how="ended")

    # ---- the end, one way or another

    def stop_listening(self) -> None:
        """The client's stream was refused, or nobody reads it any more."""
        if self._listens and self._conversation is not None:
            self._listens = False
            self._conversation.listening -= 1
            if self._conversation.endpoints:
                self._conversation.farewell = True

    def abort(self, when: Moment, by: str, how: str) -> None:
        """The connection ended before the exchange did."""
        if self._over:
            return
        conversation = self.settle()
        during = "response" if self._response else "waiting" if self._body_done else "request"
        if not self._body_done and self._body.size:
            self._add_body(REQUEST_BODY, self.head, self._body, self._body.take(), when, PARTIAL)
        if self._events is None:
            self._event(when, event="aborted", by=by, how=how, during=during)
            self.recorder.errors += 1
        self._finish(when, by, how, PARTIAL)
        conversation.last_mono = when.mono

    def fail(self, when: Moment, **body: object) -> None:
        """There will be no answer of the server's: say why."""
        self._body_done = True  # whatever is still to come of it, nobody gets it
        self.settle()
        if self._over:
            return
        self._event(when, **body)
        self.recorder.errors += 1
        self._finish(when, "mcptest", "failed")

    def unreadable(self, raw: bytes, reason: str, when: Moment, by: str = "server") -> None:
        """What a peer sent is no HTTP: how it begins, if that is known, and why."""
        if self._over:
            return
        self.settle()
        if not self._body_done and self._body.size:
            self._add_body(REQUEST_BODY, self.head, self._body, self._body.take(), when, PARTIAL)
        if raw and self._response is None:
            self._add(RESPONSE, raw, when, PARTIAL, clean="head")
        self._event(when, event="unreadable", by=by, reason=reason)
        self.recorder.errors += 1
        self._finish(when, by, "unreadable", PARTIAL)

    def _finish(self, when: Moment, by: str, how: str, flags: int = 0) -> None:
        if self._over:
            return
        self._over = True
        conversation = self.settle()
        conversation.under_way -= 1
        if self._answer is not None and self._response is not None and self._answer.size:
            self._add_body(RESPONSE_BODY, self._response, self._answer, self._answer.take(), when, flags)
        if self._events is not None:
            rest = self._events.take()
            self._hold(0)
            if rest:
                self._add(SSE, rest, when, PARTIAL, clean="event")
            self._event(when, event="stream closed", by=by, how=how)
        self.stop_listening()
        self._body.take()

    # ---- frames

    def _add_event(self, event: bytes, when: Moment) -> None:
        self._add(SSE, event, when, clean="event")
        self._events_seen += 1
        if self._listens and self._events_seen <= _ENDPOINT_TRIES and b"endpoint" in event:
            parsed = parse_event(event)
            if parsed.name == "endpoint" and parsed.data and self._conversation is not None:
                base = f"http://any{self.head.target}"
                parts = urlsplit(urljoin(base, parsed.data.decode("utf-8", "replace").strip()))
                target = parts.path + (f"?{parts.query}" if parts.query else "")
                self.recorder.conversations.give_endpoint(self._conversation, target)
                self._scope = 0

    def _bound_event(self, when: Moment) -> None:
        """An event without an end: say how much of it there was, and wait for the next."""
        assert self._events is not None
        assert self._conversation is not None
        size = self._events.pending
        self._hold(size)
        if size > LARGEST or (size > SAMPLE and self.recorder.budget.left < 0):
            self._events.skip()
            self._hold(0)
            reason, conn = "an event that is too long", self.lane.connection.number
            self._conversation.recording.gap(*when, SSE, 1, size, reason, conn)

    def _hold(self, size: int) -> None:
        self.recorder.budget.left -= size - self._pending
        self._pending = size

    def _add_body(self, channel: int, head: Head, body: Body, data: bytes, when: Moment, flags: int = 0) -> None:
        meta = self._meta
        if body.cut or body.fault or body.size != len(data):
            more: dict[str, object] = {"x": self.number, "c": self.lane.connection.number, "size": body.size}
            if body.cut:
                more["cut"] = True
                flags |= PARTIAL
            if body.fault:
                more["fault"] = body.fault[:200]
                flags |= PARTIAL
            meta = json.dumps(more).encode()
        self._add(channel, data, when, flags, clean="form" if head.content_type == FORM else None, meta=meta)

    def _add(
        self,
        channel: int,
        data: bytes,
        when: Moment,
        flags: int = 0,
        *,
        clean: str | None = None,
        meta: bytes | None = None,
    ) -> None:
        assert self._conversation is not None
        self._conversation.last_mono = when.mono
        self._conversation.recording.add_clean(
            when.at,
            when.mono,
            channel,
            flags,
            data,
            conn=self._scope,
            meta=self._meta if meta is None else meta,
            clean=self.recorder.cleaners.get(clean) if clean else None,
        )

    def _event(self, when: Moment, **body: object) -> None:
        assert self._conversation is not None
        self._conversation.recording.event(*when, {**body, "x": self.number}, self.lane.connection.number)
