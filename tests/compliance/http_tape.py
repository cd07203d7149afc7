"""A recorded session over HTTP that can be edited: heads, bodies and events, with their frames written anew afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from mcptest.wire import Frame
from mcptest.wire.frame import EVENT, HEADER, REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY, SSE
from mcptest.wire.sse import parse_event

MILLISECOND = 1_000_000
Change = Callable[[Any], object]


class Entry:
    """One frame; `exchange` is the number of its HTTP exchange, or None."""

    def __init__(self, frame: Frame, exchange: int | None) -> None:
        self.frame, self.exchange = frame, exchange
        self.data = frame.data
        self.pause = 0  # ns before it
        self.is_new = False

    @property
    def channel(self) -> int:
        return self.frame.channel

    def set_header(self, name: str, value: str | bytes | None) -> None:
        start, *lines = self.data.split(b"\r\n")
        kept = [line for line in lines if line.partition(b":")[0].lower() != name.lower().encode()]
        if value is not None:
            kept.append(name.encode() + b": " + (value.encode() if isinstance(value, str) else value))
        self.data = b"\r\n".join([start, *kept])

    def set_start(self, start: str) -> None:
        _, *lines = self.data.split(b"\r\n")
        self.data = b"\r\n".join([start.encode(), *lines])

    @property
    def message(self) -> Any:
        return json.loads((parse_event(self.data).data or b"") if self.channel == SSE else self.data)

    def set_message(self, body: Any) -> None:
        text = json.dumps(body, ensure_ascii=False).encode()
        self.data = b"event: message\r\ndata: " + text if self.channel == SSE else text


class Exchange:
    """The frames of one HTTP exchange."""

    def __init__(self, tape: Tape, number: int) -> None:
        self._tape, self.number = tape, number

    def _of(self, channel: int) -> list[Entry]:
        return [one for one in self._tape.entries if one.exchange == self.number and one.channel == channel]

    @property
    def head(self) -> Entry:
        return self._of(REQUEST)[0]

    @property
    def body(self) -> Entry:
        return self._of(REQUEST_BODY)[0]

    @property
    def response(self) -> Entry:
        return self._of(RESPONSE)[0]

    @property
    def events(self) -> list[Entry]:
        return self._of(SSE)

    @property
    def last(self) -> Entry:
        return [one for one in self._tape.entries if one.exchange == self.number][-1]

    @property
    def closing(self) -> Entry:
        return next(one for one in self._of(EVENT) if b"stream closed" in one.data)

    @property
    def reply(self) -> Entry:
        """The frame with the response to its request."""
        found = [one for one in (*self._of(RESPONSE_BODY), *self.events) if "method" not in one.message]
        return found[-1]

    def asks(self, name: str, value: str | bytes | None) -> Exchange:
        """Set, or with None remove, a header of the request."""
        self.head.set_header(name, value)
        return self

    def answers(self, name: str, value: str | bytes | None) -> Exchange:
        self.response.set_header(name, value)
        return self

    def status(self, code: int) -> Exchange:
        self.response.set_start(f"HTTP/1.1 {code} Whatever")
        return self

    def change(self, change: Change) -> Exchange:
        """Edit the message that it sends."""
        body = self.body.message
        change(body)
        self.body.set_message(body)
        return self

    def change_reply(self, change: Change) -> Exchange:
        entry = self.reply
        body = entry.message
        change(body)
        entry.set_message(body)
        return self

    def renumber(self, identity: int) -> Exchange:
        """Another id, in the request and in its answer."""
        self.change(lambda body: body.update(id=identity))
        if any("method" not in one.message for one in (*self._of(RESPONSE_BODY), *self.events)):
            self.change_reply(lambda body: body.update(id=identity))
        return self

    def refuse(self, code: int, error: int | None = None, text: str = "no") -> Exchange:
        """Answered with a status, and an error or nothing, in place of all that came back."""
        identity = self.body.message.get("id")
        for entry in [one for one in self._tape.entries if one.exchange == self.number]:
            if entry.channel in (SSE, RESPONSE_BODY, EVENT):
                self._tape.entries.remove(entry)
        self.status(code).answers("Content-Type", "application/json" if error else None)
        self.answers("Transfer-Encoding", None).answers("Content-Length", None if error else "0")
        if error:
            body = {"jsonrpc": "2.0", "id": identity, "error": {"code": error, "message": text}}
            self._tape.add(RESPONSE_BODY, body, self, after=self.response)
        return self


class Tape:
    def __init__(self, frames: Sequence[Frame]) -> None:
        self.entries = [Entry(frame, _exchange(frame)) for frame in frames]

    def exchanges(self) -> list[Exchange]:
        return [Exchange(self, one.exchange) for one in self.entries if one.channel == REQUEST and one.exchange]

    def post(self, method: str, nth: int = 0, **params: Any) -> Exchange:
        """The nth POST of a message with this method and these params."""
        found = []
        for exchange in self.exchanges():
            if not exchange.head.data.startswith(b"POST"):
                continue
            body = exchange.body.message
            given = body.get("params") or {}
            if body.get("method") == method and all(given.get(key) == value for key, value in params.items()):
                found.append(exchange)
        return found[nth]

    def call(self, name: str) -> Exchange:
        return self.post("tools/call", name=name)

    def verb(self, verb: str, nth: int = 0) -> Exchange:
        return [one for one in self.exchanges() if one.head.data.startswith(verb.encode() + b" ")][nth]

    def reply_post(self) -> Exchange:
        """The POST of a response of the client's."""
        return next(
            one for one in self.exchanges() if one.head.data.startswith(b"POST") and "result" in one.body.message
        )

    def add(self, channel: int, data: Any, exchange: Exchange, *, after: Entry) -> Entry:
        """One more frame of an exchange; a dict becomes a message, or with EVENT an event of the recording."""
        made = Entry(exchange.head.frame._replace(channel=channel, flags=0), exchange.number)
        made.is_new = True
        if isinstance(data, bytes):
            made.data = data
        elif channel == EVENT:
            made.data = json.dumps({**data, "x": exchange.number}).encode()
        else:
            made.set_message(data)
        self.entries.insert(self.entries.index(after) + 1, made)
        return made

    def again(self, exchange: Exchange, *, after: Entry | None = None, pause: int = 0) -> Exchange:
        """The exchange once more, after a frame or after all of its own."""
        number = max(one.exchange or 0 for one in self.entries) + 1
        place = self.entries.index(after or exchange.last) + 1
        copies = []
        for entry in [one for one in self.entries if one.exchange == exchange.number]:
            made = Entry(entry.frame, number)
            made.data, made.is_new = entry.data, True
            if entry.channel == EVENT:
                made.data = json.dumps({**json.loads(entry.data), "x": number}).encode()
            copies.append(made)
        copies[0].pause = pause
        self.entries[place:place] = copies
        return Exchange(self, number)

    def drop(self, what: Entry | Exchange) -> None:
        if isinstance(what, Entry):
            self.entries.remove(what)
        else:
            self.entries = [one for one in self.entries if one.exchange != what.number]

    def move(self, entry: Entry, *, after: Entry) -> Entry:
        self.entries.remove(entry)
        self.entries.insert(self.entries.index(after) + 1, entry)
        return entry

    def replace(self, old: str, new: str | bytes) -> None:
        """Other words everywhere."""
        for entry in self.entries:
            if entry.channel != HEADER:
                entry.data = entry.data.replace(old.encode(), new if isinstance(new, bytes) else new.encode())

    def session_id(self) -> str:
        for line in self.post("initialize").response.data.split(b"\r\n"):
            if line.lower().startswith(b"mcp-session-id:"):
                return line.partition(b":")[2].strip().decode()
        raise AssertionError("the server gave no session id")

    def frames(self) -> list[Frame]:
        found: list[Frame] = []
        later, last = 0, 0
        for seq, entry in enumerate(self.entries):
            later += entry.pause
            mono = last + MILLISECOND + entry.pause if entry.is_new else entry.frame.mono + later
            if mono <= last:
                later += last + MILLISECOND - mono
                mono = last + MILLISECOND
            last = mono
            meta = json.dumps({**json.loads(entry.frame.meta or b"{}"), "x": entry.exchange}).encode()
            is_http = entry.exchange is not None and entry.channel != EVENT
            found.append(
                entry.frame._replace(seq=seq, mono=mono, data=entry.data, meta=meta if is_http else entry.frame.meta)
            )
        return found


def _exchange(frame: Frame) -> int | None:
    about = json.loads(frame.data if frame.channel == EVENT else frame.meta or b"{}")
    number = about.get("x")
    return number if type(number) is int else None
