"""What rules look at where messages travel over HTTP: exchanges of a request and its response, and streams' events.

What a peer sent stands here as it was recorded, secrets replaced. Nothing is ever fetched.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import orjson

from mcptest.compliance.curl import as_curl
from mcptest.wire.frame import PARTIAL, SERVER
from mcptest.wire.heads import EVENT_STREAM, FORM, Head, is_json
from mcptest.wire.sse import Event as Fields

if TYPE_CHECKING:
    from mcptest.compliance.subjects import Message

_MOST_KEPT = 1000  # messages of one stream that are kept with it


class HttpExchange:
    """One HTTP request and what came of it.

    `sent` and `received` are the messages it carried (of a long stream the first thousand; `answers` are the responses
    among `received`). `body` and `answer_body` are the bodies, None where there was none or it was not captured.
    `seq`, `mono` are of the request's head, `response_seq`, `response_mono` of the response's, `ended_mono` of the end.

    `ended` says that the end was captured, `by` whose doing it was (client, server, mcptest; None: not known), and
    `how`: "whole", "closed" or "reset" (broke off), "refused", "unreachable", "unreadable", "failed".
    """

    kind = "HTTP exchange"
    pointer = ""
    sender = SERVER

    def __init__(self, number: int, connection: int, head: Head, seq: int, mono: int, origin: str = "") -> None:
        self.number, self.connection, self.request = number, connection, head
        self.seq, self.mono, self._origin = seq, mono, origin
        self.verb, self.target = head.method, head.target
        self.body: bytes | None = None
        self.body_seq: int | None = None
        self.request_flags = self.answer_flags = 0
        self.sent: list[Message] = []
        self.response: Head | None = None
        self.response_seq: int | None = None
        self.response_mono: int | None = None
        self.answer_body: bytes | None = None
        self.received: list[Message] = []
        self.events = 0
        self.first_event: SseEvent | None = None
        self.last_id: str | None = None
        self.retry: str | None = None
        self.ended = False
        self.ended_mono: int | None = None
        self.by: str | None = None
        self.how: str | None = None
        self.reason: str | None = None
        self.mcp = False
        self.synthetic = False
        self.revision = ""

    # ---- what was asked

    def header(self, name: str) -> str | None:
        """A header of the request; its name in any case, several joined by commas."""
        return self.request.get(name.lower().encode("latin-1", "replace"))

    @cached_property
    def path(self) -> str:
        return str(self._parts.path)

    @cached_property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self._parts.query, keep_blank_values=True)

    @cached_property
    def host(self) -> str:
        return str(self._parts.netloc or self.header("host") or "")

    @property
    def url(self) -> str:
        """The whole address; the scheme is that of the server the session was recorded for, where the host is."""
        if self._parts.scheme:
            return self.target
        scheme = urlsplit(self._origin).scheme or "http"
        return f"{scheme}://{self.host}{self.target}" if self.host else self._origin + self.target

    @cached_property
    def _parts(self) -> Any:
        try:
            return urlsplit(self.target)
        except ValueError:
            return urlsplit("")

    @property
    def session_id(self) -> str | None:
        return self.header("mcp-session-id")

    @property
    def last_event_id(self) -> str | None:
        return self.header("last-event-id")

    @property
    def content_type(self) -> str:
        """The request's media type alone, in lower case; empty: none was given."""
        return self.request.content_type

    @property
    def whole_request(self) -> bool:
        """Is the body captured in full, or was there none?"""
        if self.request_flags & PARTIAL:
            return False
        length = self.header("content-length")
        expected = (length is not None and length.strip() not in ("", "0")) or self.header("transfer-encoding")
        return self.body is not None or not expected

    @cached_property
    def form(self) -> dict[str, list[str]]:
        """The request's body where it is a form, else nothing."""
        if self.body is None or self.content_type != FORM:
            return {}
        return parse_qs(self.body.decode("utf-8", "replace"), keep_blank_values=True)

    @cached_property
    def json(self) -> Any:
        """The request's body as JSON; None where it is none."""
        return _json(self.body)

    # ---- what came back

    def answer_header(self, name: str) -> str | None:
        """A header of the response; None also where no response was captured."""
        return None if self.response is None else self.response.get(name.lower().encode("latin-1", "replace"))

    @property
    def status(self) -> int | None:
        return None if self.response is None else self.response.status

    @property
    def ok(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def answer_type(self) -> str:
        """The response's media type alone, in lower case."""
        return "" if self.response is None else self.response.content_type

    @property
    def assigned(self) -> str | None:
        """The session id that the response gives."""
        return self.answer_header("mcp-session-id")

    @property
    def streams(self) -> bool:
        """Is the response a stream of events?"""
        return self.answer_type == EVENT_STREAM and self.status is not None and self.status < 400

    @property
    def whole_answer(self) -> bool:
        """Is the response there to its end?"""
        return self.ended and self.how == "whole" and not self.answer_flags & PARTIAL

    @cached_property
    def answer_json(self) -> Any:
        """The response's body as JSON; None where it is none, or not all there. Read it when the exchange is over."""
        if self.answer_flags & PARTIAL or not (is_json(self.answer_type) or not self.answer_type):
            return None
        return _json(self.answer_body)

    @property
    def answers(self) -> list[Message]:
        """The responses among the messages that came back."""
        return [message for message in self.received if message.kind == "response"]

    # ---- as a subject

    @property
    def name(self) -> str:
        return f"{self.verb} {self.path or '/'}"[:200]

    @property
    def place(self) -> HttpExchange:
        return self

    @property
    def frames(self) -> tuple[int, ...]:
        return tuple(seq for seq in (self.seq, self.body_seq, self.response_seq) if seq is not None)

    @property
    def raw(self) -> bytes:
        """As a person would write it: the command for curl, and what it gives. For evidence."""
        return as_curl(self)

    def keep(self, message: Message, sent: bool) -> None:
        kept = self.sent if sent else self.received
        if len(kept) < _MOST_KEPT:
            kept.append(message)


class SseEvent:
    """One event of a stream. `fields` has its `data`, `name`, `id` and `retry` (each None where there was no such line)
    and the number of `comments`; `messages` is what the data came to. `repeats` is the frame of the event that it
    delivers again, after a stream was resumed: it has the same id and data, and its messages are not counted twice."""

    __slots__ = ("fields", "flags", "http", "messages", "mono", "raw", "repeats", "revision", "seq")

    kind = "event"
    pointer = ""
    sender = SERVER
    synthetic = False

    def __init__(self, http: HttpExchange, fields: Fields, raw: bytes, seq: int, mono: int, flags: int) -> None:
        self.http, self.fields, self.raw, self.seq, self.mono, self.flags = http, fields, raw, seq, mono, flags
        self.messages: tuple[Message, ...] = ()
        self.repeats: int | None = None
        self.revision = http.revision

    @property
    def id(self) -> str | None:
        return self.fields.id

    @property
    def name(self) -> str:
        return self.fields.name or "message"

    @property
    def partial(self) -> bool:
        return bool(self.flags & PARTIAL)

    @property
    def is_comment(self) -> bool:
        """Nothing but comments, as they hold a connection open."""
        data, name, identity, retry, comments = self.fields
        return bool(comments) and data is None and name is None and identity is None and retry is None

    @property
    def place(self) -> SseEvent:
        return self

    @property
    def frames(self) -> tuple[int, ...]:
        return (self.seq,)


def _json(body: bytes | None) -> Any:
    if body is None:
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
