"""Recording HTTP: from what an engine puts on the link to exchanges, and from those to the journals of sessions."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from mcptest.proxy.http import channels
from mcptest.proxy.http.bodies import Body, Budget
from mcptest.proxy.http.conversations import Conversation, Conversations, Request
from mcptest.proxy.http.exchange import HttpExchange, Moment
from mcptest.proxy.http.options import MITMPROXY
from mcptest.proxy.http.responses import Responses, Unreadable
from mcptest.proxy.link import Pulse
from mcptest.proxy.options import Options
from mcptest.proxy.session import Complain, Recording, Setting, fold, prepare_or_complain
from mcptest.wire.frame import REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY
from mcptest.wire.heads import Head

_SETTLE = 0.03  # a request's head waits no longer than this for a body that says whose it is,
_SETTLE_FLOW = 1.0  # or this with mitmproxy, which first connects to the server, and so has forwarded nothing yet
_LOOK_AFTER = 2.0  # how often sessions are looked through for those that have ended
_NEWS = 0.25
_LONGEST_EXCERPT = 4 << 10
_FRESH = 1.0  # a connection that is not older than its session's first request is taken to be made for it

_NO_PROGRESS = "the journal made no progress"

# What a lost record would have become.
_LOST = {
    channels.REQUEST: REQUEST,
    channels.REQUEST_WHOLE: REQUEST,
    channels.REQUEST_DATA: REQUEST_BODY,
    channels.REQUEST_LAST: REQUEST_BODY,
    channels.RESPONSE: RESPONSE,
    channels.RESPONSE_BYTES: RESPONSE_BODY,
    channels.RESPONSE_DATA: RESPONSE_BODY,
}


class Connection(NamedTuple):
    """A client's connection."""

    number: int
    peer: str
    opened: Moment

    @property
    def host(self) -> str:
        return self.peer.rpartition(":")[0]


class Lane:
    """Where exchanges follow one another: a connection or, with the mitmproxy engine, a single flow on one."""

    def __init__(self, connection: Connection, origin: str) -> None:
        self.connection, self.origin = connection, origin
        self.responses = Responses()
        self.exchanges: deque[HttpExchange] = deque()  # those without a whole answer, in order
        self.receiving: HttpExchange | None = None  # the one whose body is coming
        self.lost = False  # bytes are missing: nothing is understood until the next request
        self.ended: tuple[str, str, Moment] | None = None  # who ended it, how and when


class HttpRecorder:
    """Feed it the link's records; it keeps frames. A fault of its own never reaches the traffic."""

    def __init__(
        self,
        options: Options,
        url: str,
        engine: str,
        pulse: Pulse,
        complain: Complain,
        report: Callable[[dict[str, int]], None] | None = None,
    ) -> None:
        self._options, self._url, self._engine = options, url, engine
        self._complain, self._report = complain, report
        self.conversations = Conversations()
        self.cleaners: dict[str, Callable[[bytes], bytes]] = {}
        self.sessions = self.requests = self.errors = 0
        self.budget = Budget()
        self._connections: dict[int, Connection] = {}
        self._lanes: dict[int, Lane] = {}
        self._unsettled: set[HttpExchange] = set()
        self._reported: dict[str, int] = {}
        self._next_look = self._next_news = 0.0
        self._setting: Setting | None = prepare_or_complain(options, pulse, complain)
        if self._setting is not None and self._setting.redactor is not None:
            from mcptest.proxy.http.clean import Cleaner

            cleaner = Cleaner(self._setting.redactor)
            self.cleaners = {"head": cleaner.head, "event": cleaner.event, "form": self._setting.redactor.form}
        self._handlers: dict[int, Callable[[Lane, bytes, Moment], None]] = {
            channels.REQUEST: self._request,
            channels.REQUEST_WHOLE: self._request_whole,
            channels.REQUEST_DATA: self._request_data,
            channels.REQUEST_LAST: self._request_last,
            channels.RESPONSE_BYTES: self._response_bytes,
            channels.RESPONSE: self._response,
            channels.RESPONSE_DATA: self._response_data,
            channels.RESPONSE_LAST: self._response_last,
        }

    # ---- what the engine sends

    def chunk(self, channel: int, conn: int, at: int, mono: int, data: bytes) -> None:
        if self._setting is None:
            return
        when = Moment(at, mono)
        lane = None
        try:
            if channel == channels.NOTE:
                self._note(conn, json.loads(data), when)
            elif channel == channels.FLOW:
                self._flow(conn, json.loads(data), when)
            else:
                lane = self._lane(conn, when)
                self._handlers[channel](lane, data, when)
        except Exception as error:  # noqa: BLE001  (one connection's fault must not end the others' record)
            if lane is not None:
                lane.lost = True
            self._complain(f"a connection is not recorded: {type(error).__name__}: {error}")

    def dropped(self, at: int, mono: int, data: bytes) -> None:
        """Some records are missing: what was under way on their connections can no longer be understood."""
        when = Moment(at, mono)
        for channel, conn, _, size, _, count in json.loads(data):
            lane = self._lanes.get(conn)
            if lane is None:
                continue
            for exchange in lane.exchanges:
                recording = exchange.settle().recording
                recording.gap(at, mono, _LOST.get(channel, REQUEST), count, size, _NO_PROGRESS, lane.connection.number)
                exchange.abort(when, "mcptest", "lost")
            self._lose(lane)
            if channel == channels.NOTE:
                self._gone(conn, lane, when)

    def idle(self) -> float | None:
        now = time.monotonic()
        before_body = _SETTLE_FLOW if self._engine == MITMPROXY else _SETTLE
        for exchange in [
            one for one in self._unsettled if now - one.seen > (_SETTLE if one.body_began else before_body)
        ]:
            exchange.settle()
            self._unsettled.discard(exchange)
        for conversation in self.conversations.open:
            conversation.recording.flush()
        if now > self._next_look:
            self._next_look = now + _LOOK_AFTER
            for conversation in self.conversations.take_ended(time.monotonic_ns()):
                conversation.recording.close()
        if not self._tell_news(now):
            return _SETTLE if self._unsettled else _NEWS
        if self._unsettled:
            return _SETTLE
        return _LOOK_AFTER if self.conversations.open else None

    def close(self, relay_died: bool) -> None:
        when = Moment(time.time_ns(), time.monotonic_ns())
        for conn, lane in list(self._lanes.items()):
            lane.ended = lane.ended or ("mcptest", channels.CLOSED, when)
            self._gone(conn, lane, when)
        for conversation in self.conversations.take_all():
            conversation.recording.close(killed=relay_died)
        self._tell_news(float("inf"))

    def fold(self) -> None:
        if self._setting is not None and self.sessions:
            fold(self._setting.place)

    # ---- for exchanges

    def join(self, request: Request, connection: Connection, when: Moment) -> Conversation:
        conversation = self.conversations.find(request)
        if conversation is None:
            is_fresh = when.mono - connection.opened.mono < _FRESH * 1e9
            conversation = self._open(request, connection.opened if is_fresh else when)
        if self.conversations.join(conversation, request):
            event = {"event": "connected", "peer": connection.peer}
            conversation.recording.event(*connection.opened, event, connection.number)
        self.requests += 1
        return conversation

    def body(self, head: Head) -> Body:
        return Body(head.content_type, head.get(b"content-encoding") or "", self.budget)

    def count_answer(self, status: int) -> None:
        self.errors += status >= 400

    def _open(self, request: Request, when: Moment) -> Conversation:
        assert self._setting is not None
        url = self._url or request.origin + request.head.target
        redactor = self._setting.redactor
        header = {
            "transport": "streamable-http",
            "target": {"url": redactor.url(url) if redactor else url},
            "name": self._options.name,
            "engine": self._engine,
        }
        self.sessions += 1
        return Conversation(Recording(self._setting, header, *when), request, when.mono)

    # ---- requests

    def _lane(self, conn: int, when: Moment) -> Lane:
        lane = self._lanes.get(conn)
        if lane is None:  # its beginning was lost
            lane = self._lanes[conn] = Lane(Connection(conn, "", when), self._url)
        return lane

    def _request(self, lane: Lane, data: bytes, when: Moment) -> None:
        head, _, body = data.partition(b"\r\n\r\n")
        lane.lost = False
        lane.receiving = exchange = HttpExchange(self, lane, head, when)
        lane.exchanges.append(exchange)
        lane.responses.expect(exchange.head.method)
        exchange.request_data(body)
        if not exchange.is_settled:
            self._unsettled.add(exchange)

    def _request_whole(self, lane: Lane, data: bytes, when: Moment) -> None:
        self._request(lane, data, when)
        self._request_last(lane, b"", when)

    def _request_data(self, lane: Lane, data: bytes, _: Moment) -> None:
        if lane.receiving is not None:
            lane.receiving.request_data(data)

    def _request_last(self, lane: Lane, data: bytes, when: Moment) -> None:
        exchange = lane.receiving
        if exchange is not None:
            lane.receiving = None
            exchange.request_data(data)
            exchange.request_end(when)
            self._unsettled.discard(exchange)

    # ---- responses

    def _response_bytes(self, lane: Lane, data: bytes, when: Moment) -> None:
        """The built-in engine's: bytes that are still to be understood."""
        if lane.lost:
            return
        found = lane.responses.whole(data) if lane.exchanges else None
        if found is not None:
            exchange = lane.exchanges.popleft()
            exchange.response(found[0], when)
            exchange.response_data(found[1], when)
            exchange.response_end(when)
            return
        body: list[bytes] = []
        try:
            for step, part in lane.responses.feed(data):
                if step == "data":
                    body.append(part)
                    continue
                if body:
                    self._response_data(lane, b"".join(body), when)
                    body.clear()
                if step == "head":
                    self._response(lane, part, when)
                elif step == "end":
                    self._response_last(lane, part, when)
                else:
                    lane.exchanges[0].interim(part, when)
            if body:
                self._response_data(lane, b"".join(body), when)
        except Unreadable as fault:
            self._unreadable(lane, data, str(fault), when)

    def _response(self, lane: Lane, head: bytes, when: Moment) -> None:
        if lane.exchanges:
            lane.exchanges[0].response(head, when)

    def _response_data(self, lane: Lane, data: bytes, when: Moment) -> None:
        if lane.exchanges:
            lane.exchanges[0].response_data(data, when)

    def _response_last(self, lane: Lane, _: bytes, when: Moment) -> None:
        if lane.exchanges:
            lane.exchanges.popleft().response_end(when)

    def _unreadable(self, lane: Lane, data: bytes, reason: str, when: Moment) -> None:
        """The server's bytes make no sense: keep how they begin, and the reason."""
        if lane.exchanges:
            lane.exchanges[0].unreadable(data[:_LONGEST_EXCERPT], reason, when)
        self._lose(lane)

    def _lose(self, lane: Lane) -> None:
        lane.lost = True
        lane.receiving = None
        lane.exchanges.clear()
        lane.responses.forget()

    # ---- connections

    def _flow(self, flow: int, body: dict[str, Any], when: Moment) -> None:
        connection = self._connections.get(body["conn"]) or Connection(body["conn"], body["peer"], when)
        self._lanes[flow] = Lane(connection, body["origin"])

    def _note(self, conn: int, body: dict[str, Any], when: Moment) -> None:
        event = body["event"]
        if event == channels.CONNECTED:
            self._connections[conn] = connection = Connection(conn, body["peer"], when)
            if not body.get("flows"):
                self._lanes[conn] = Lane(connection, self._url)
            return
        if conn in self._connections and conn not in self._lanes:
            self._disconnect(conn, body.get("by", "client"), channels.CLOSED, when)
            return
        lane = self._lane(conn, when)
        if event == channels.CLOSED:
            lane.ended = lane.ended or (body["by"], event, when)
            if body["by"] == "server":
                self._end_of_responses(lane, when)
            for exchange in lane.exchanges:
                exchange.stop_listening()
        elif event == channels.RESET:
            lane.ended = (body["by"], event, when)
            self._abort(lane, when)
        elif event == channels.REFUSED:
            self._refuse(lane, body, when)
        elif event == channels.UNREACHABLE:
            for exchange in lane.exchanges:
                exchange.fail(when, event=event, reason=body["reason"])
            self._lose(lane)
        elif event == channels.UNREADABLE:
            for exchange in lane.exchanges:
                exchange.unreadable(b"", body["reason"], when, body["by"])
            self._lose(lane)
        elif event == channels.GONE:
            self._gone(conn, lane, when)

    def _end_of_responses(self, lane: Lane, when: Moment) -> None:
        """Where a response has no length, the end of the stream is its own end; otherwise it breaks off."""
        try:
            for step, part in lane.responses.feed(b""):
                if step == "end":
                    self._response_last(lane, part, when)
        except Unreadable:
            pass
        self._abort(lane, when)

    def _refuse(self, lane: Lane, body: dict[str, Any], when: Moment) -> None:
        if lane.receiving is None:
            begun = body["begun"].encode("latin-1")[:_LONGEST_EXCERPT]
            self._request_whole(lane, begun.partition(b"\r\n\r\n")[0] + b"\r\n\r\n", when)
            exchange = lane.exchanges.pop()
        else:
            exchange = lane.receiving
        exchange.fail(when, event=channels.REFUSED, status=body["status"], reason=body["reason"])

    def _abort(self, lane: Lane, when: Moment) -> None:
        """What is unfinished stays so."""
        by, how, _ = lane.ended or ("mcptest", channels.CLOSED, when)
        for exchange in lane.exchanges:
            exchange.abort(when, by, how)
            self._unsettled.discard(exchange)
        self._lose(lane)

    def _gone(self, conn: int, lane: Lane, when: Moment) -> None:
        self._abort(lane, when)
        self._lanes.pop(conn, None)
        if lane.connection.number == conn:
            by, how, _ = lane.ended or ("mcptest", channels.CLOSED, when)
            self._disconnect(conn, by, how, when)

    def _disconnect(self, conn: int, by: str, how: str, when: Moment) -> None:
        self._connections.pop(conn, None)
        for conversation in self.conversations.disconnect(conn):
            conversation.recording.event(*when, {"event": "disconnected", "by": by, "how": how}, conn)

    # ---- for the user

    def _tell_news(self, now: float) -> bool:
        """False if there are some, but the last were told just now."""
        news = {"sessions": self.sessions, "requests": self.requests, "errors": self.errors}
        if self._report is None or news == self._reported:
            return True
        if now < self._next_news:
            return False
        self._reported = news
        self._report(news)
        self._next_news = now + _NEWS
        return True
