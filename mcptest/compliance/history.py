"""What has been seen of a session up to the frame that is being judged."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from mcptest.compliance.http import HttpExchange
from mcptest.compliance.ids import Ids
from mcptest.compliance.known import Known
from mcptest.compliance.lines import Event, Fault
from mcptest.compliance.subjects import Exchange, Message
from mcptest.protocol import methods
from mcptest.wire import Id
from mcptest.wire.frame import CLIENT, PROXY, SERVER

_RECENT = 1024  # closed exchanges that a late notification may still speak of
_MOST_EVENTS = 256
_MOST_FAULTS = 64

Key = tuple[int, str, Id]


class History:
    """Grows while the session is read; a rule reads it and never changes it.

    `began`: the capture has the session from its first message on. `lost`: frames known to be missing so far.
    `events` are those of the connection, in order, without stderr. `modern_server`: the server showed that it knows
    the stateless era, by a discovery, a `resultType` or one of its error codes. `asked` and `tokens` hold every request
    id and progress token that a side has used; `faults` what a side sent that nobody has complained about yet. `http`
    are the HTTP exchanges that are not over, by their number; `aside` those, over by now, that are not MCP's own or
    that the server refused for want of authorization.
    """

    kind = "session"
    pointer = ""
    place = None
    frames: tuple[int, ...] = ()
    sender = PROXY
    synthetic = False

    def __init__(self) -> None:
        self.session = ""
        self.name = ""
        self.transport = "stdio"
        self.known = Known()
        self.began = False
        self.lost = 0
        self.messages = 0
        self.events: list[Event] = []
        self.modern_server = False
        self.asked = {CLIENT: Ids(), SERVER: Ids()}
        self.tokens = {CLIENT: Ids(), SERVER: Ids()}
        self.faults: dict[str, deque[Fault]] = {side: deque(maxlen=_MOST_FAULTS) for side in (CLIENT, SERVER)}
        self.revisions: dict[str, int] = {}  # how many messages belonged to each
        self.revision = ""
        self.http: dict[int, HttpExchange] = {}
        self.aside: list[HttpExchange] = []
        self.last_answered = {CLIENT: -1, SERVER: -1}  # the newest of a side's requests that got an answer
        self._open: dict[tuple[int, int | None], Exchange] = {}
        self._by_id: dict[Key, Exchange] = {}
        self._by_token: dict[Key, Exchange] = {}
        self._recent: deque[tuple[dict[Key, Exchange], Key, Exchange]] = deque()

    # ---- for rules

    def in_flight(self, sender: str | None = None) -> Iterator[Exchange]:
        """The requests that wait for an answer now, cancelled ones included, oldest first."""
        return (found for found in self._open.values() if sender is None or found.asker == sender)

    def event(self, what: str, **about: Any) -> Event | None:
        """The first event of this name, with these particulars."""
        for event in self.events:
            if event.what == what and all(event.about.get(key) == value for key, value in about.items()):
                return event
        return None

    @property
    def incomplete_past(self) -> str | None:
        """Why something that was not seen may have been there all the same; None if all was seen until now."""
        if not self.began:
            return "the capture does not have the beginning of the session"
        return f"{self.lost} frames are missing in the capture" if self.lost else None

    @property
    def incomplete_end(self) -> str | None:
        """Why something that did not come may just not have been captured; None if the session came to its end."""
        if self.event("killed"):
            return "the recorder was killed before the session ended"
        if not self.event("end"):
            return "the capture does not have the end of the session"
        return f"{self.lost} frames are missing in the capture" if self.lost else None

    # ---- for the reader

    def opened(self, exchange: Exchange, token: Id | None) -> None:
        request = exchange.request
        assert request.id is not None
        self._open[request.seq, request.batch] = exchange
        self._by_id[request.conn, request.sender, request.id] = exchange
        self.asked[request.sender].add(request.id)
        if token is not None:
            self._by_token[request.conn, request.sender, token] = exchange
            self.tokens[request.sender].add(token)

    def closed(self, exchange: Exchange, token: Id | None) -> None:
        request = exchange.request
        assert request.id is not None
        self._open.pop((request.seq, request.batch), None)
        self.last_answered[request.sender] = max(self.last_answered[request.sender], request.seq)
        self._recent.append((self._by_id, (request.conn, request.sender, request.id), exchange))
        if token is not None:
            self._recent.append((self._by_token, (request.conn, request.sender, token), exchange))
        while len(self._recent) > _RECENT:
            index, key, old = self._recent.popleft()
            if index.get(key) is old:
                del index[key]

    def turned_away(self, request: Message) -> None:
        """Its HTTP exchange was refused: nobody owes an answer to this request, or to what else it was."""
        self._open.pop((request.seq, request.batch), None)

    def by_id(self, conn: int, asker: str, identity: Id) -> Exchange | None:
        """The last request with this id, in flight or answered not long ago."""
        return self._by_id.get((conn, asker, identity))

    def by_token(self, conn: int, asker: str, token: Id) -> Exchange | None:
        return self._by_token.get((conn, asker, token))

    def happened(self, event: Event) -> None:
        if len(self.events) < _MOST_EVENTS or event.what in ("exit", "killed", "end"):
            self.events.append(event)

    def begins(self, message: Message) -> None:
        """The first message: without a word about the process, an opening shows that the session starts here. Other
        requests of the stateless era may stand anywhere."""
        opening = message.method in (methods.INITIALIZE, methods.DISCOVER)
        self.began = self.began or (opening and message.sender == CLIENT and not self.lost)
