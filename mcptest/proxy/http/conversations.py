"""Which session does a request belong to? HTTP itself does not say, so each era's own marks are used.

Until 2025-11-25 a server may name the session in its answer to `initialize`, and the client repeats the name. In the
old HTTP+SSE transport the stream's first event names the address that its messages go to. Since 2026-07-28, and with
servers that name no session, there is only the connection, and who the client says it is: a request on a new
connection joins the latest session of the same client, unless it opens anew or its id was used there before. That can
mix up two clients that look alike and run at once; their messages still pair rightly, since a request's answer is
looked for in its own exchange first.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any, NamedTuple

import orjson

from mcptest.protocol import methods
from mcptest.proxy.session import Recording
from mcptest.wire.heads import EVENT_STREAM, FORM, Head, is_json

SILENCE = 3600.0  # a session without any traffic for this many seconds has ended
SMALL_TALK = 60.0  # or for this many, when nobody has asked anything yet
FAREWELL = 10.0  # or for this many, when it was closed by its client
MOST_OPEN = 256  # beyond so many sessions, those that were silent longest are ended
_MOST_IDS = 50_000  # remembered of a session
_MOST_NAMES = 16  # that a server can give one session, and endpoints; the oldest are forgotten
_LARGEST_LOOKED_INTO = 4 << 20  # a larger body opens no session
_METHOD = re.compile(rb'"method"\s{0,16}:\s{0,16}"([A-Za-z0-9_/.-]{1,64})"')


class Asked(NamedTuple):
    """What a JSON-RPC body says that matters here."""

    method: str | None
    id: str | None
    client: tuple[str, str] | None  # name and version


class Request(NamedTuple):
    conn: int
    peer: str  # the client's address without its port
    origin: str  # the server's
    head: Head
    asked: Asked | None
    is_whole: bool = True  # otherwise its body, which may say more, has not come yet

    @property
    def sender(self) -> tuple[str, str, str]:
        return self.origin, self.peer, self.head.get(b"user-agent") or ""

    @property
    def is_authorization(self) -> bool:
        """A step of OAuth, as far as its head tells. It may go to another host than the session that it is for."""
        if self.asked is not None:
            return False
        target = self.head.target
        if self.head.method == "GET":
            return self.is_browsed or "/.well-known/oauth-" in target or "/.well-known/openid-" in target
        return self.head.method == "POST" and (self.head.content_type == FORM or "/regist" in target)

    @property
    def is_browsed(self) -> bool:
        """Sent by the user's browser, and not by the client itself."""
        return self.head.method == "GET" and "response_type=" in self.head.target

    @property
    def is_stream(self) -> bool:
        return self.head.method == "GET" and EVENT_STREAM in (self.head.get(b"accept") or "")


class Conversation:
    """A session in the making."""

    def __init__(self, recording: Recording, request: Request, mono: int) -> None:
        self.recording = recording
        self.origin = request.origin
        self.sender = request.sender
        self.client: tuple[str, str] | None = None
        self.ids: dict[int, set[str]] = {}  # the ids used on each connection that is open
        self.said: set[str] = set()  # the ids used on any
        self.session_ids: list[str] = []
        self.endpoints: list[str] = []  # of HTTP+SSE
        self.opening: str | None = None  # how it was opened: the method
        self.settled = False  # something else was said since
        self.refused = False  # the opening was not let in
        self.listening = 0  # GET streams that were asked for, and not refused or ended
        self.farewell = False  # the client has closed it
        self.closed = False
        self.exchanges = 0  # so far; numbers the next
        self.under_way = 0
        self.last_mono = mono

    @property
    def is_named(self) -> bool:
        """Whether its requests say that they are its own."""
        return bool(self.session_ids or self.endpoints)

    def next_exchange(self) -> int:
        self.exchanges += 1
        self.under_way += 1
        return self.exchanges

    def is_over(self, mono: int) -> bool:
        if self.under_way:
            return False
        patience = SILENCE if self.opening or self.settled or self.is_named else SMALL_TALK
        return (mono - self.last_mono) / 1e9 > (FAREWELL if self.farewell else patience)


class Conversations:
    """All sessions that are open, and the marks they are known by."""

    def __init__(self) -> None:
        self.open: OrderedDict[Conversation, None] = OrderedDict()  # the one that spoke last is last
        self._by_id: dict[tuple[str, str], Conversation] = {}
        self._by_endpoint: dict[tuple[str, str], Conversation] = {}
        self._by_conn: dict[int, Conversation] = {}

    def named(self, origin: str, head: Head) -> Conversation | None:
        """The session that a request's head alone names."""
        session_id = head.get(b"mcp-session-id")
        if session_id is not None:
            return self._by_id.get((origin, session_id))
        return self._by_endpoint.get((origin, head.target))

    def find(self, request: Request) -> Conversation | None:
        """The session that this request belongs to; None if it opens one."""
        found = self.named(request.origin, request.head)
        if found is not None or request.head.get(b"mcp-session-id") is not None:
            return found
        here = self._by_conn.get(request.conn)
        if here is not None and here.origin == request.origin and _fits_here(here, request):
            return here
        for other in reversed(self.open):
            if other.sender == request.sender and other is not here and _fits_elsewhere(other, request):
                return other
        if request.is_authorization:
            return next((other for other in reversed(self.open) if _is_let_in_by(other, request)), None)
        return None

    def join(self, conversation: Conversation, request: Request) -> bool:
        """The request is this session's: remember what it is known by. True if its connection is new to the session."""
        self.open[conversation] = None
        self.open.move_to_end(conversation)
        self._by_conn[request.conn] = conversation
        is_new = request.conn not in conversation.ids
        ids = conversation.ids.setdefault(request.conn, set())
        session_id = request.head.get(b"mcp-session-id")
        if session_id is not None:
            self.name(conversation, session_id)
        if request.is_stream:
            conversation.listening += 1
        asked = request.asked
        if asked is None:
            return is_new
        if asked.id is not None and len(conversation.said) < _MOST_IDS:
            ids.add(asked.id)
            conversation.said.add(asked.id)
        conversation.client = asked.client or conversation.client
        if asked.method in (methods.INITIALIZE, methods.DISCOVER):
            conversation.opening, conversation.refused = asked.method, False
        else:
            conversation.settled = True
        return is_new

    def name(self, conversation: Conversation, session_id: str) -> None:
        self._known_by(self._by_id, conversation, conversation.session_ids, session_id)

    def give_endpoint(self, conversation: Conversation, target: str) -> None:
        self._known_by(self._by_endpoint, conversation, conversation.endpoints, target)

    def _known_by(
        self, index: dict[tuple[str, str], Conversation], conversation: Conversation, names: list[str], name: str
    ) -> None:
        if name in names:
            return
        index[conversation.origin, name] = conversation
        names.append(name)
        if len(names) > _MOST_NAMES:
            index.pop((conversation.origin, names.pop(0)), None)

    def disconnect(self, conn: int) -> list[Conversation]:
        """A connection is closed: the sessions that used it."""
        self._by_conn.pop(conn, None)
        return [one for one in self.open if one.ids.pop(conn, None) is not None]

    def take_ended(self, mono: int) -> list[Conversation]:
        """The sessions that are over, which are forgotten here."""
        over = [one for one in self.open if one.is_over(mono)]
        surplus = len(self.open) - len(over) - MOST_OPEN
        if surplus > 0:
            over += [one for one in self.open if not one.under_way and one not in over][:surplus]
        for one in over:
            self._forget(one)
        return over

    def take_all(self) -> list[Conversation]:
        everybody = list(self.open)
        for one in everybody:
            self._forget(one)
        return everybody

    def _forget(self, conversation: Conversation) -> None:
        conversation.closed = True
        del self.open[conversation]
        for index, names in ((self._by_id, conversation.session_ids), (self._by_endpoint, conversation.endpoints)):
            for name in names:
                if index.get((conversation.origin, name)) is conversation:
                    del index[conversation.origin, name]
        for conn in conversation.ids:
            if self._by_conn.get(conn) is conversation:
                del self._by_conn[conn]


def _fits_here(conversation: Conversation, request: Request) -> bool:
    """Can a request that names no session belong to the one that its connection was last used for?"""
    return _fits(conversation, request) and (not request.is_stream or not conversation.endpoints)


def _fits_elsewhere(conversation: Conversation, request: Request) -> bool:
    """Or, on a connection that was never used for it, to this one of the same sender?"""
    if not _fits(conversation, request):
        return False
    if request.is_stream:
        return not conversation.is_named and (conversation.opening is not None or not conversation.listening)
    asked = request.asked
    if asked is None and not request.is_whole:
        # A session too many is better than two that are mixed up. Only an opening request names no revision.
        return not conversation.is_named and request.head.get(b"mcp-protocol-version") is not None
    if asked is None or asked.method == methods.INITIALIZE:
        return True
    if asked.method == methods.DISCOVER and conversation.opening is not None and not conversation.refused:
        return False
    if asked.client is not None:
        taken = asked.id in conversation.said  # a client that counts from the beginning was started again
    else:
        taken = any(asked.id in ids for conn, ids in conversation.ids.items() if conn != request.conn)
    return not conversation.is_named and not taken


def _is_let_in_by(conversation: Conversation, request: Request) -> bool:
    """Does a step of OAuth at another host belong to this session of the same client?"""
    if conversation.closed or conversation.farewell or conversation.origin == request.origin:
        return False
    if not (conversation.opening or conversation.settled or conversation.is_named):
        return False
    _, peer, agent = conversation.sender
    return peer == request.peer and (request.is_browsed or agent == (request.head.get(b"user-agent") or ""))


def _fits(conversation: Conversation, request: Request) -> bool:
    if conversation.closed or conversation.farewell:
        return False
    asked = request.asked
    if asked is None:
        return True
    if asked.client and conversation.client and asked.client != conversation.client:
        return False
    if asked.method != methods.INITIALIZE or conversation.opening is None or conversation.refused:
        return True
    # A client that tried the newer way of opening first.
    return conversation.opening == methods.DISCOVER and not conversation.settled


def look_into(head: Head, body: bytes) -> Asked | None:
    """What a request's body asks, if it is JSON-RPC."""
    if not body or len(body) > _LARGEST_LOOKED_INTO or not (is_json(head.content_type) or not head.content_type):
        return None
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if type(value) is list and value:
        value = value[0]
    if type(value) is not dict or not ("method" in value or "result" in value or "error" in value):
        return None
    method, params = value.get("method"), value.get("params")
    info = None
    if type(params) is dict:
        meta = params.get("_meta")
        info = params.get("clientInfo") if method == methods.INITIALIZE else None
        if type(meta) is dict:
            info = info or meta.get(methods.CLIENT_INFO)
    return Asked(
        method if type(method) is str else None,
        repr(value["id"]) if "id" in value and method is not None else None,
        _client(info),
    )


def glance(body: bytes) -> Asked | None:
    """The same of a body's beginning, as far as that says it."""
    method = _METHOD.search(body)
    return Asked(method[1].decode("ascii"), None, None) if method else None


def _client(info: Any) -> tuple[str, str] | None:
    return (str(info.get("name")), str(info.get("version"))) if type(info) is dict else None
