"""HTTP exchanges: which of their frames carry messages, and a row for each about the request and how it ended.

A recorder puts the number of its exchange beside each frame (`x` in the frame's meta). JSON travels over HTTP that is
no JSON-RPC at all (authorization, error pages), and calling it malformed would accuse an honest peer. So a body counts
as a message where messages are spoken: in an exchange whose request has the marks of MCP, or where it says itself that
it is JSON-RPC. What was recorded in part only is no message either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson

from mcptest.wire.frame import PARTIAL, REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY, SSE, Frame
from mcptest.wire.heads import EVENT_STREAM, Head, is_json, parse_head
from mcptest.wire.sse import parse_event

_MOST_OPEN = 1000  # exchanges that are remembered because they may go on
_MOST_ENDPOINTS = 64
_LONGEST = 4096  # of a header's value, and the like
_ENDPOINT_TRIES = 4  # HTTP+SSE names its endpoint in the first event; keep-alives may come before it
_MARK = b'"jsonrpc"'
_PARAM = b"mcp-param-"
OPEN, STREAMING, ANSWERED = "open", "streaming", "answered"


class HttpRow(NamedTuple):
    """One request over HTTP. `seq`, `body` and `response` are frames; `wait` and `duration` are nanoseconds until the
    answer's head and until its end."""

    x: int
    seq: int
    at: int
    conn: int | None
    method: str
    target: str
    host: str | None
    session_id: str | None
    revision: str | None
    mcp_method: str | None
    mcp_name: str | None
    mcp_params: str | None
    last_event_id: str | None
    request_type: str | None
    request_size: int
    body: int | None
    status: int | None
    response: int | None
    response_type: str | None
    encoding: str | None
    response_size: int
    challenge: str | None
    wait: int | None
    duration: int | None
    events: int
    outcome: str
    ended_by: str | None
    reason: str | None


_FIELDS = {name: index for index, name in enumerate(HttpRow._fields)}


class _Open:
    """A row in the making."""

    __slots__ = ("mono", "row", "saved", "speaks")

    def __init__(self, row: list[Any], mono: int, speaks: bool, saved: bool = False) -> None:
        self.row, self.mono, self.speaks, self.saved = row, mono, speaks, saved

    def get(self, name: str) -> Any:
        return self.row[_FIELDS[name]]

    def set(self, **values: Any) -> None:
        for name, value in values.items():
            self.row[_FIELDS[name]] = value

    def end(self, frame: Frame, outcome: str, by: str | None, reason: str | None = None) -> None:
        self.set(outcome=outcome, ended_by=by, reason=reason, duration=max(0, frame.mono - self.mono))


class Http:
    """Follows a session's HTTP exchanges, frame by frame, in order. Who does not collect the rows says so."""

    def __init__(self, state: dict[str, Any] | None = None, *, rows: bool = True) -> None:
        state = state or {}
        self._rows = rows
        self._open = {row[0]: _Open(row, mono, speaks, saved=True) for row, mono, speaks in state.get("open", ())}
        self._endpoints: set[str] = set(state.get("endpoints", ()))
        self._touched: dict[int, _Open] = {}
        self.names_endpoint = False  # a stream said where to send messages: the old transport, HTTP+SSE

    def state(self) -> dict[str, Any]:
        return {
            "open": [[one.row, one.mono, one.speaks] for one in self._open.values()],
            "endpoints": sorted(self._endpoints),
        }

    def collect(self) -> tuple[list[tuple[Any, ...]], list[int]]:
        """The rows that are new or have changed, and the numbers of those that were given out before."""
        rows = [tuple(one.row) for one in self._touched.values()]
        known = [x for x, one in self._touched.items() if one.saved]
        for one in self._touched.values():
            one.saved = True
        self._touched.clear()
        return rows, known

    def follow(self, frame: Frame) -> bytes | None:
        """The message or messages that a frame of an HTTP channel carries, as JSON; None if it is to carry none."""
        about = _object(frame.meta) if frame.meta else {}
        x = about.get("x")
        if type(x) is not int or not 0 <= x < 1 << 53:
            return _unnumbered(frame)
        one = self._open.get(x)
        if frame.channel == REQUEST:
            self._request(frame, x, about)
            return None
        if one is None:
            return _unnumbered(frame)
        self._touch(x, one)
        if frame.channel == RESPONSE:
            self._response(frame, x, one)
            return None
        if frame.channel == SSE:
            one.set(events=one.get("events") + 1, response_size=one.get("response_size") + len(frame.data))
            if one.get("events") <= _ENDPOINT_TRIES and b"endpoint" in frame.data:
                self.names_endpoint |= parse_event(frame.data).name == "endpoint"
            return _event_message(frame)
        return self._body(frame, x, one, about)

    def _touch(self, x: int, one: _Open) -> None:
        if self._rows:
            self._touched[x] = one

    def _request(self, frame: Frame, x: int, about: dict[str, Any]) -> None:
        head = parse_head(frame.data)
        conn = about.get("c")
        row = HttpRow(
            x=x,
            seq=frame.seq,
            at=frame.at,
            conn=conn if type(conn) is int and 0 <= conn < 1 << 53 else None,
            method=head.method[:_LONGEST],
            target=head.target,
            host=_value(head, b"host"),
            session_id=_value(head, b"mcp-session-id"),
            revision=_value(head, b"mcp-protocol-version"),
            mcp_method=_value(head, b"mcp-method"),
            mcp_name=_value(head, b"mcp-name"),
            mcp_params=_params(head),
            last_event_id=_value(head, b"last-event-id"),
            request_type=head.content_type or None,
            request_size=0,
            body=None,
            status=None,
            response=None,
            response_type=None,
            encoding=None,
            response_size=0,
            challenge=None,
            wait=None,
            duration=None,
            events=0,
            outcome=OPEN,
            ended_by=None,
            reason=None,
        )
        speaks = _speaks_mcp(head) or head.target in self._endpoints
        self._open[x] = one = _Open(list(row), frame.mono, speaks)
        self._touch(x, one)
        if len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]

    def _response(self, frame: Frame, x: int, one: _Open) -> None:
        head = parse_head(frame.data)
        status = head.status
        if status is not None and 100 <= status < 200:
            return
        waited = max(0, frame.mono - one.mono)
        one.set(
            status=status,
            response=frame.seq,
            response_type=head.content_type or None,
            encoding=_value(head, b"content-encoding"),
            challenge=_value(head, b"www-authenticate"),
            wait=waited,
            duration=waited,
            outcome=STREAMING if head.content_type == EVENT_STREAM and status and status < 400 else ANSWERED,
        )
        if status in (204, 304) or head.get(b"content-length") == "0":
            self._open.pop(x, None)

    def _body(self, frame: Frame, x: int, one: _Open, about: dict[str, Any]) -> bytes | None:
        size = about.get("size")
        size = size if type(size) is int and 0 <= size < 1 << 53 else len(frame.data)
        if frame.channel == REQUEST_BODY:
            one.set(body=frame.seq, request_size=size)
            kind, honest = one.get("request_type"), True
        else:
            one.set(response_size=size, duration=max(0, frame.mono - one.mono))
            kind, honest = one.get("response_type"), (one.get("status") or 0) < 400
            self._open.pop(x, None)
        if frame.flags & PARTIAL or (kind is not None and not is_json(kind)):
            return None
        if _MARK in frame.data:
            if frame.channel == REQUEST_BODY and len(self._endpoints) < _MOST_ENDPOINTS:
                self._endpoints.add(one.get("target"))
            one.speaks = True
            return frame.data
        return frame.data if one.speaks and honest and kind is not None else None

    def happened(self, frame: Frame) -> int | None:
        """An EVENT. If it is a client that no longer waits for an answer, the frame with what it had asked."""
        about = _object(frame.data)
        one = self._open.get(about["x"]) if type(about.get("x")) is int else None
        if one is None:
            return None
        by, how, reason = (_text(about.get(key)) for key in ("by", "how", "reason"))
        match about.get("event"):
            case "stream closed":
                one.end(frame, ANSWERED if how == "ended" else "aborted", by)
            case "aborted":
                one.end(frame, "aborted", by, _text(about.get("during")))
            case "refused":
                status = about.get("status")
                one.set(status=status if type(status) is int and 0 <= status < 1000 else None)
                one.end(frame, "refused", "mcptest", reason)
            case "unreachable" | "unreadable" as outcome:
                one.end(frame, outcome, by or "server", reason)
            case _:
                return None
        self._touch(one.get("x"), one)
        self._open.pop(one.get("x"), None)
        body: int | None = one.get("body") if (one.get("outcome"), by) == ("aborted", "client") else None
        return body


def _unnumbered(frame: Frame) -> bytes | None:
    """A frame of another origin than our recorder, or one whose beginning was lost."""
    if frame.channel == SSE:
        return _event_message(frame)
    return frame.data if frame.channel in (REQUEST_BODY, RESPONSE_BODY) and not frame.flags & PARTIAL else None


def _event_message(frame: Frame) -> bytes | None:
    if frame.flags & PARTIAL:
        return None
    event = parse_event(frame.data)
    return event.data if event.name in (None, "", "message") else None


def _speaks_mcp(head: Head) -> bool:
    """By its head alone. The protocol's version is not enough: it is sent to authorization servers, too."""
    names = {name.lower() for name, _ in head.headers}
    if any(name.startswith(b"mcp-") and name != b"mcp-protocol-version" for name in names):
        return True
    return head.method == "POST" and EVENT_STREAM in (head.get(b"accept") or "")


def _params(head: Head) -> str | None:
    found = {
        name[len(_PARAM) :].decode("latin-1"): value.decode("latin-1")
        for name, value in head.headers
        if name.lower().startswith(_PARAM)
    }
    return orjson.dumps(found).decode() if found else None


def _value(head: Head, name: bytes) -> str | None:
    value = head.get(name)
    return None if value is None else value[:_LONGEST]


def _text(value: Any) -> str | None:
    return value[:_LONGEST] if type(value) is str else None


def _object(data: bytes) -> dict[str, Any]:
    try:
        body = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}
    return body if type(body) is dict else {}
