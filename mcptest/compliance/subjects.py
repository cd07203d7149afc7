"""What rules look at: messages, exchanges, parts of messages, lists. All of it is read-only.

Every subject says what it is (`kind`, `name`), where it stands (`frames`, `pointer` into the first message of them),
whose doing it is (`sender`), and which revision it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from mcptest.compliance.http import HttpExchange
from mcptest.compliance.known import Capabilities, Known
from mcptest.compliance.lines import Fault
from mcptest.protocol import CLIENT_CAPABILITIES, STATELESS_REVISIONS
from mcptest.wire import Id
from mcptest.wire.frame import CLIENT, REDACTED, SERVER

OTHER = {CLIENT: SERVER, SERVER: CLIENT}
MODERN = STATELESS_REVISIONS[0]  # from here on each request says its revision; compares as text, the draft included

_NOTHING: dict[str, Any] = {}


class Message:
    """One JSON-RPC message, or what stood in its place.

    `params`, `result` and `error` are always objects, empty where the message has none or has something else there,
    so that a rule can ask without checking, and so is `meta`, the `_meta` of the params or of the result; `body` has
    what was really sent (None: it was no JSON object). `modern`: it belongs to the era in which each request carries
    its revision and its client. `known` is what the parties had told each other by then. `answers` is the exchange that
    a response belongs to, and `about` the one that a progress or cancelled notification speaks of. `stray` says why a
    response answers nothing, and `fault` is what an error without a request may have been meant for. `http` is the HTTP
    exchange that carried it.
    """

    http: HttpExchange | None = None

    # Rules ask for these many times a message, so all but the rare ones are kept rather than worked out.
    __slots__ = (
        "_revision",
        "about",
        "answers",
        "batch",
        "body",
        "conn",
        "error",
        "fault",
        "flags",
        "id",
        "kind",
        "known",
        "meta",
        "method",
        "modern",
        "mono",
        "params",
        "raw",
        "reason",
        "result",
        "sender",
        "seq",
        "stray",
        "synthetic",
    )

    def __init__(
        self,
        kind: str,
        sender: str,
        method: str | None,
        identity: Id | None,
        body: dict[str, Any] | None,
        raw: bytes,
        seq: int,
        mono: int,
        conn: int,
        flags: int,
        revision: str,
        known: Known,
        reason: str | None = None,
        batch: int | None = None,
        synthetic: bool = False,
    ) -> None:
        self.kind, self.sender, self.method, self.id = kind, sender, method, identity
        self.body, self.raw, self.reason, self.batch = body, raw, reason, batch
        self.seq, self.mono, self.conn, self.flags = seq, mono, conn, flags
        self.revision, self.known, self.synthetic = revision, known, synthetic
        self.params = self.result = self.error = self.meta = _NOTHING
        if body is not None:
            value = body.get("params")
            if type(value) is dict:
                self.params = value
            value = body.get("result")
            if type(value) is dict:
                self.result = value
            value = body.get("error")
            if type(value) is dict:
                self.error = value
            value = (self.params or self.result).get("_meta")
            if type(value) is dict:
                self.meta = value
        self.answers: Exchange | None = None
        self.about: Exchange | None = None
        self.stray: str | None = None
        self.fault: Fault | None = None

    @property
    def name(self) -> str:
        if self.method is not None:
            return self.method
        return self.answers.request.name if self.answers is not None else self.kind

    @property
    def pointer(self) -> str:
        return "" if self.batch is None else f"/{self.batch}"

    @property
    def frames(self) -> tuple[int, ...]:
        return (self.seq,)

    @property
    def place(self) -> Message:
        return self

    @property
    def revision(self) -> str:
        return self._revision

    @revision.setter
    def revision(self, revision: str) -> None:
        self._revision = revision
        self.modern = revision >= MODERN

    @property
    def redacted(self) -> bool:
        return bool(self.flags & REDACTED)

    @property
    def client_capabilities(self) -> Capabilities | None:
        """What the client had declared by then; None where that is not known. A request of the stateless era says it
        itself, and an answer takes it from its request."""
        if not self.modern:
            return self.known.client
        request = self if self.answers is None else self.answers.request
        return Capabilities.of(request.meta.get(CLIENT_CAPABILITIES))

    @property
    def server_capabilities(self) -> Capabilities | None:
        """What the server had declared by then: in the handshake, or when it was discovered; None: not known."""
        return self.known.discovered if self.modern else self.known.server

    def capabilities(self, side: str) -> Capabilities | None:
        return self.client_capabilities if side == CLIENT else self.server_capabilities


class CarriedMessage(Message):
    """One that came over HTTP."""

    __slots__ = ("http",)  # not in its base class, so that others need not set it

    http: HttpExchange | None


class Exchange:
    """A request and its answer, or its silence: `answer` is None where there was none until the session ended.
    `cancelled` is the notification that took the request back."""

    __slots__ = ("answer", "cancelled", "request")

    kind = "exchange"

    def __init__(self, request: Message) -> None:
        self.request = request
        self.answer: Message | None = None
        self.cancelled: Message | None = None

    @property
    def method(self) -> str:
        return self.request.name

    name = method

    @property
    def params(self) -> dict[str, Any]:
        return self.request.params

    @property
    def result(self) -> dict[str, Any]:
        return _NOTHING if self.answer is None else self.answer.result

    @property
    def error(self) -> dict[str, Any]:
        return _NOTHING if self.answer is None else self.answer.error

    @property
    def code(self) -> int | None:
        """The error's code, where it is a whole number."""
        code = self.error.get("code")
        return code if type(code) is int else None

    @property
    def asker(self) -> str:
        return self.request.sender

    @property
    def sender(self) -> str:
        """Who answered, or should have."""
        return OTHER[self.request.sender]

    @property
    def revision(self) -> str:
        """The answer's, which differs from the request's in a handshake only."""
        answer = self.answer
        return (self.request if answer is None else answer).revision

    @property
    def modern(self) -> bool:
        return self.request.modern

    @property
    def known(self) -> Known:
        """What the parties had told each other when the request was sent."""
        return self.request.known

    @property
    def place(self) -> Message:
        return self.request if self.answer is None else self.answer

    @property
    def pointer(self) -> str:
        return self.place.pointer

    @property
    def frames(self) -> tuple[int, ...]:
        return (self.request.seq,) if self.answer is None else (self.answer.seq, self.request.seq)

    @property
    def synthetic(self) -> bool:
        return self.request.synthetic

    @property
    def dropped(self) -> bool:
        """Over HTTP: is nobody at work on it although it has no answer? So it is if its POST was refused, and in the
        stateless era when its HTTP exchange is over."""
        http = self.request.http
        if http is None or self.answer is not None:
            return False
        return (http.status or 0) >= 400 or (self.modern and http.ended)


class Part(NamedTuple):
    """A value inside a message: a listed tool, a content block, a `_meta`. `where` says in what kind of place, `at`
    is its pointer from the message's own root."""

    kind: str
    name: str
    value: Any
    message: Message
    at: str
    where: str = ""

    @property
    def members(self) -> Mapping[str, Any]:
        """The value where it is an object, else nothing."""
        return self.value if type(self.value) is dict else _NOTHING

    @property
    def place(self) -> Message:
        return self.message

    @property
    def pointer(self) -> str:
        return self.message.pointer + self.at

    @property
    def frames(self) -> tuple[int, ...]:
        return self.message.frames

    @property
    def sender(self) -> str:
        return self.message.sender

    @property
    def revision(self) -> str:
        return self.message.revision


class Listing:
    """One listing of a kind of thing over all its pages, from the first to one without a next cursor; `complete` is
    False where the session ended, or a new listing began, before the last page."""

    __slots__ = ("complete", "list_kind", "pages", "parts")

    kind = "listing"
    pointer = ""
    synthetic = False

    def __init__(self, list_kind: str) -> None:
        self.list_kind = list_kind
        self.pages: list[Exchange] = []
        self.parts: list[Part] = []
        self.complete = False

    @property
    def name(self) -> str:
        return self.pages[0].method

    @property
    def place(self) -> Message:
        return self.pages[0].place

    @property
    def frames(self) -> tuple[int, ...]:
        return tuple(page.place.seq for page in self.pages)

    @property
    def sender(self) -> str:
        return self.pages[0].sender

    @property
    def revision(self) -> str:
        return self.pages[0].revision

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)
