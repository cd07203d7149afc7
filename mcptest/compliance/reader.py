"""From frames to what rules look at, in one pass: each frame is read once, and what it means is handed on at once.

Order is that of the recording, with two exceptions. A response that nothing waits for is held back for a few frames,
because a recorder's two directions race and its request may stand behind it. And what comes before anybody has named
a revision waits until somebody does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import orjson

from mcptest.compliance.history import History
from mcptest.compliance.http import HttpExchange
from mcptest.compliance.http_side import STREAMABLE, HttpSide
from mcptest.compliance.known import Capabilities
from mcptest.compliance.lines import Event, Fault, Line
from mcptest.compliance.lists import LIST_CHANGED, Lists, outdate
from mcptest.compliance.outbox import Emit, Outbox
from mcptest.compliance.records import as_object, frames_lost
from mcptest.compliance.revision import UNKNOWN, Settled
from mcptest.compliance.subjects import OTHER, CarriedMessage, Exchange, Message
from mcptest.protocol import HANDSHAKE_REVISIONS, LISTS, PROGRESS_TOKEN, errors, methods
from mcptest.wire import Frame, Id
from mcptest.wire.frame import (
    CLIENT,
    CONTINUED,
    EVENT,
    GAP,
    HEADER,
    HTTP_CHANNELS,
    MESSAGE_CHANNELS,
    PROXY,
    SENDERS,
    SERVER,
    STDERR,
)
from mcptest.wire.message import MALFORMED, NOTIFICATION, REQUEST, RESPONSE, classify, identify, parse
from mcptest.wire.pairing import EARLIEST, Pairing, Waiting

# What happens, besides the kinds of messages. OBJECT: a JSON object that is no JSON-RPC message.
OBJECT, RESULT, ERROR, SILENCE, LINE, HAPPENING, LISTING, END = (
    "object", "result", "error", "silence", "line", "event", "listing", "end",
)  # fmt: skip

# Why a response answers nothing.
NO_ID, SECOND, UNASKED = "it has no id", "its request was answered before", "no request has its id"


class _Asked(Waiting):
    """A request that waits for its answer, together with what a rule will see of it."""

    exchange: Exchange
    progress_token: Id | None


class Reader:
    """`moved` is called when the session's transport turns out to be another than it was taken for."""

    def __init__(self, emit: Emit, pin: str | None = None, moved: Callable[[], None] = lambda: None) -> None:
        self.history = History()
        self._pin = pin
        self._settled = Settled()
        self._outbox = Outbox(emit, self._settled)
        self._pairing = Pairing()
        self._held: deque[Message] = deque()
        self._parts: dict[tuple[int, int], list[bytes]] = {}
        self._http = HttpSide(self.history, self._settled, self._outbox.emit, self._carried, moved)
        self._carrier: HttpExchange | None = None
        self._lists = Lists()
        self._next_seq = 0

    def read(self, frames: Iterable[Frame]) -> History:
        """All of a session's frames, from its header on."""
        for frame in frames:
            self._frame(frame)
        self._finish()
        return self.history

    # ---- frames

    def _frame(self, frame: Frame) -> None:
        seq, channel = frame.seq, frame.channel
        if seq != self._next_seq:
            if seq < self._next_seq:
                return
            self.history.lost += seq - self._next_seq
            self._parts.clear()  # the rest of a line may be among what is missing
        self._next_seq = seq + 1
        if self._held and self._held[0].seq + EARLIEST < seq:
            self._give_up(seq)
        if channel in HTTP_CHANNELS:
            self._http.frame(frame)
        elif channel in MESSAGE_CHANNELS:
            if frame.flags & CONTINUED or self._parts:
                whole = self._join(frame)
                if whole is None:
                    return
                frame = frame._replace(data=whole)
            self._line(frame, frame.data)
        elif channel == EVENT:
            self._http.happened(frame)
            self._event(frame)
        elif channel == STDERR:
            self._outbox.emit(HAPPENING, PROXY, "stderr", self._happening("stderr", {}, frame))
        elif channel == GAP:
            self.history.lost += frames_lost(frame.data)
            self._parts.clear()
        elif channel == HEADER:
            self._header(frame)

    def _join(self, frame: Frame) -> bytes | None:
        key = frame.conn, frame.channel
        pieces = self._parts.setdefault(key, [])
        pieces.append(frame.data)
        if frame.flags & CONTINUED:
            return None
        del self._parts[key]
        return b"".join(pieces)

    def _header(self, frame: Frame) -> None:
        facts = as_object(frame.data)
        self.history.session = str(facts.get("session", ""))
        self.history.name = str(facts.get("name") or self.history.session)
        transport = str(facts.get("transport", "stdio"))
        self.history.transport = STREAMABLE if transport == "http" else transport
        self._http.begin(facts)

    def _event(self, frame: Frame) -> None:
        about = as_object(frame.data)
        event = self._happening(str(about.get("event", "")), about, frame)
        self.history.happened(event)
        if event.what == "spawn" and not self.history.messages and not self.history.lost:
            self.history.began = True
        if event.what != "end":
            self._outbox.emit(HAPPENING, PROXY, event.what, event)

    def _happening(self, what: str, about: dict[str, Any], frame: Frame) -> Event:
        return Event(what, about, frame.data, frame.seq, frame.mono, self._settled.current)

    # ---- lines and messages

    def _carried(self, frame: Frame, data: bytes, carrier: HttpExchange | None) -> tuple[Message, ...]:
        self._carrier = carrier
        try:
            return self._line(frame, data)
        finally:
            self._carrier = None

    def _line(self, frame: Frame, data: bytes) -> tuple[Message, ...]:
        seq, _, mono, conn, channel, flags, _, meta = frame
        sender = SENDERS[channel]
        synthetic = bool(meta) and as_object(meta).get("synthetic") is True
        reason: str | None = None
        array = False
        messages: tuple[Message, ...]
        try:
            body = orjson.loads(data)
        except orjson.JSONDecodeError:
            body = None
        if type(body) is dict:
            messages = (self._message(body, None, None, data, frame, sender, synthetic),)
        elif not data.strip():
            messages, reason = (), "empty line"
        else:
            found = parse(data)
            array = len(found) > 1 or found[0].batch is not None or found[0].reason == "empty batch"
            if not array and found[0].body is None:
                messages, reason = (), found[0].reason
            else:
                messages = tuple(
                    self._message(one.body, one.reason, one.batch, one.raw or data, frame, sender, synthetic)
                    for one in found
                    if not (array and one.reason == "empty batch")
                )
        line = Line(
            sender, data, seq, mono, conn, flags, messages,
            messages[0].revision if messages else self._settled.current, self.history.known, reason, array, synthetic,
        )  # fmt: skip
        if array or (reason and data.strip()):
            self.history.faults[sender].append(Fault(line, _code_for(line)))
        self._outbox.emit(LINE, sender, None, line)
        return messages

    def _message(
        self,
        body: dict[str, Any] | None,
        reason: str | None,
        batch: int | None,
        raw: bytes,
        frame: Frame,
        sender: str,
        synthetic: bool,
    ) -> Message:
        kind, given, method, problem = (MALFORMED, None, None, reason) if body is None else classify(body, raw)
        identity = None if given is None else Id(*given)
        carrier = self._carrier
        message = (Message if carrier is None else CarriedMessage)(
            kind, sender, method, identity, body, raw, frame.seq, frame.mono, frame.conn, frame.flags,
            self._settled.current, self.history.known, problem, batch, synthetic,
        )  # fmt: skip
        if carrier is not None:
            assert isinstance(message, CarriedMessage)
            message.http = carrier
            carrier.keep(message, sender == CLIENT)
        self.history.messages += 1
        if kind is REQUEST:
            self._request(message)
        elif kind is RESPONSE:
            self._response(message)
        elif kind is NOTIFICATION:
            self._notification(message)
        elif body is not None:
            self.history.faults[sender].append(Fault(message, errors.INVALID_REQUEST))
            self._outbox.emit(OBJECT, sender, None, message)
        return message

    def _request(self, message: Message) -> None:
        method, identity, params = message.method, message.id, message.params
        assert method is not None
        assert identity is not None
        if message.sender == CLIENT:
            if method == methods.INITIALIZE:
                message.revision = self._settled.asked(params.get("protocolVersion"))
                self._learn(
                    requested=_text(params.get("protocolVersion")),
                    client=Capabilities.of(params.get("capabilities")),
                )
                message.known = self.history.known
            else:
                message.revision = self._settled.request(method, params)
        if self.history.messages == 1:
            self.history.begins(message)
        asked = _Asked(message.seq, message.batch, message.conn, message.sender, method, identity, 0, message.mono)
        asked.exchange = exchange = Exchange(message)
        meta = params.get("_meta")
        asked.progress_token = None
        if type(meta) is dict and PROGRESS_TOKEN in meta:
            asked.progress_token = identify(meta[PROGRESS_TOKEN], message.raw, ("params", "_meta", PROGRESS_TOKEN))
        assert message.body is not None
        self._pairing.ask(asked, message.body, message.raw)
        self._pairing.fresh.clear()
        if identity.type not in ("string", "number"):
            self.history.faults[message.sender].append(Fault(message, None))
        self._outbox.emit(REQUEST, message.sender, method, message)
        self.history.opened(exchange, asked.progress_token)
        if self._pairing.early:
            self._answer_early(asked)

    def _answer_early(self, asked: _Asked) -> None:
        found = self._pairing.answer_early(asked)
        if found is None:
            return
        ended, early = found
        for answer in self._held:
            if (answer.seq, answer.batch) == (early.seq, early.batch):
                self._held.remove(answer)
                answer.stray = answer.fault = None
                assert isinstance(ended, _Asked)
                self._answer(ended, answer)
                return

    def _response(self, message: Message) -> None:
        if self.history.messages == 1:
            self.history.begins(message)
        assert message.body is not None
        if message.id is None:
            message.stray = NO_ID
            self._blame(message)
            self._outbox.emit(RESPONSE, message.sender, None, message)
            return
        key = message.conn, OTHER[message.sender], message.id
        meant = None if message.http is None else partial(_is_asked_by, message.http)
        found = self._pairing.answer(key, message.body, message.seq, message.batch, message.mono, meant)
        if isinstance(found, _Asked):
            self._answer(found, message)
            return
        if message.id.type == "null":
            message.stray = NO_ID
            self._blame(message)
        elif message.id in self.history.asked[OTHER[message.sender]]:
            message.stray = SECOND
        else:
            message.stray = UNASKED
            self._blame(message)
        self._held.append(message)

    def _blame(self, message: Message) -> None:
        """Find what an error without a request may be about: with an id, what had that id; else the oldest fault."""
        if message.body is None or "error" not in message.body:
            return
        faults = self.history.faults[OTHER[message.sender]]
        for fault in faults:
            if message.stray is NO_ID or _id_of(fault) == message.id:
                faults.remove(fault)
                message.fault = fault
                return

    def _give_up(self, seq: int) -> None:
        """Held-back responses whose request did not come."""
        while self._held and self._held[0].seq + EARLIEST < seq:
            message = self._held.popleft()
            self._outbox.emit(RESPONSE, message.sender, None, message)

    def _answer(self, asked: _Asked, answer: Message) -> None:
        exchange = asked.exchange
        exchange.answer = answer
        answer.answers = exchange
        answer.revision = exchange.request.revision
        method, failed = asked.method, asked.failed
        if not failed:
            self._learn_from(method, answer)
        elif exchange.code in errors.STATELESS:
            self.history.modern_server = True
        self.history.closed(exchange, asked.progress_token)
        if exchange.request.http is not None and method == methods.INITIALIZE:
            exchange.request.http.revision = answer.revision
        listing = None
        if not failed and method in LISTS and exchange.asker == CLIENT:
            listing, news = self._lists.page(exchange, self.history.known)
            self._learn(**news)
        self._outbox.emit(RESPONSE, answer.sender, method, answer)
        self._outbox.emit(ERROR if failed else RESULT, answer.sender, method, exchange)
        if listing is not None:
            self._outbox.emit(LISTING, answer.sender, method, listing)

    def _learn_from(self, method: str, answer: Message) -> None:
        result = answer.result
        if answer.sender != SERVER:
            return
        if method == methods.INITIALIZE:
            answer.revision = self._settled.agreed(result.get("protocolVersion"))
            self._learn(
                negotiated=_text(result.get("protocolVersion")), server=Capabilities.of(result.get("capabilities"))
            )
            answer.known = self.history.known
        elif "resultType" in result:
            self.history.modern_server = True
        if method == methods.DISCOVER:
            self.history.modern_server = True
            versions = result.get("supportedVersions")
            self._learn(
                discovered=Capabilities.of(result.get("capabilities")),
                versions=tuple(map(str, versions)) if type(versions) is list else None,
            )
            answer.known = self.history.known

    def _notification(self, message: Message) -> None:
        if self.history.messages == 1:
            self.history.begins(message)
        method, sender = message.method, message.sender
        message.revision = self._settled.notification(message.params)
        if method == methods.PROGRESS:
            self._about_token(message)
        elif method == methods.CANCELLED:
            self._about_request(message)
        elif sender == SERVER and method in LIST_CHANGED:
            outdate(self.history.known, method, message.seq)
        elif method == "notifications/initialized" and sender == CLIENT:
            self._learn(initialized=True)
        self._outbox.emit(NOTIFICATION, sender, method, message)

    def _about_token(self, message: Message) -> None:
        if PROGRESS_TOKEN in message.params:
            token = identify(message.params[PROGRESS_TOKEN], message.raw, ("params", PROGRESS_TOKEN))
            message.about = self.history.by_token(message.conn, OTHER[message.sender], token)
            if message.about is not None:
                message.revision = message.about.revision

    def _about_request(self, message: Message) -> None:
        """A side takes back its own request; a server may also end what its client listens to."""
        if "requestId" not in message.params:
            return
        identity = identify(message.params["requestId"], message.raw, ("params", "requestId"))
        own = self.history.by_id(message.conn, message.sender, identity)
        other = self.history.by_id(message.conn, OTHER[message.sender], identity)
        if own is None and message.sender == SERVER and other is not None and other.modern:
            own = other
        if own is None:
            return
        message.about = own
        message.revision = own.revision
        if own.answer is None and own.cancelled is None:
            own.cancelled = message

    # ---- what was said, and lists

    def _learn(self, **news: Any) -> None:
        self.history.known = self.history.known._replace(**news)

    def _finish(self) -> None:
        while self._held:
            message = self._held.popleft()
            self._outbox.emit(RESPONSE, message.sender, None, message)
        self._http.finish()
        for exchange in list(self.history.in_flight()):
            self._outbox.emit(SILENCE, exchange.sender, exchange.method, exchange)
        if self._settled.current == UNKNOWN:
            # Nobody named a revision. Without the beginning it may have been any; with it, there was none.
            self._settled.current = self._pin or (HANDSHAKE_REVISIONS[-1] if self.history.began else UNKNOWN)
        self._outbox.release()
        self.history.revision = self._settled.current
        self._outbox.emit(END, PROXY, None, self.history)


def _is_asked_by(carrier: HttpExchange, waiting: Waiting) -> bool:
    """Over HTTP an answer comes back where its request went, whoever else uses the id."""
    return isinstance(waiting, _Asked) and waiting.exchange.request.http is carrier


def _code_for(line: Line) -> int | None:
    """What a line that holds no message should be answered with; a batch may be one or not."""
    if line.array:
        return None
    is_json = line.reason is not None and line.reason.startswith("a JSON ")
    return errors.INVALID_REQUEST if is_json else errors.PARSE_ERROR


def _id_of(fault: Fault) -> Id | None:
    line = fault.line
    body = line.body if isinstance(line, Message) else None
    return identify(body["id"], line.raw) if body is not None and "id" in body else None


def _text(value: Any) -> str | None:
    return value if type(value) is str else None
