"""A recording as turns: each thing that a client said, with what its server did about it.

Player and mock both work from turns, so that stdio and HTTP recordings look the same to them. Frames come in any
stretches, and a turn goes out as soon as it is over: a mock of a large recording can answer before it has read all
of it.

A server's own messages belong to the request that they report progress on, or on whose HTTP exchange they came; where
nothing says so, to the request that was sent last and is still open, or to whatever the client said last. What a client
has subscribed to belongs to what it said last, too: that is what the news followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import orjson

from mcptest.protocol import methods
from mcptest.wire import Deriver, Frame, Id
from mcptest.wire.facts import Facts
from mcptest.wire.frame import CLIENT, HEADER, SENDERS
from mcptest.wire.message import NOTIFICATION, REQUEST, RESPONSE, identify, parse
from mcptest.wire.pairing import Exchange
from mcptest.wire.rows import MessageRow

STRETCH = 2000  # frames that are understood at a time

_SEQ, _BATCH, _MONO, _CONN = (MessageRow._fields.index(field) for field in ("seq", "batch", "mono", "conn"))
_CHANNEL, _KIND, _METHOD, _RAW = (MessageRow._fields.index(field) for field in ("channel", "kind", "method", "raw"))
_ID_TYPE, _ID, _META = (MessageRow._fields.index(field) for field in ("id_type", "id", "meta"))
_ANSWER, _ANSWER_BATCH = Exchange._fields.index("answer"), Exchange._fields.index("answer_batch")
_NAME, _CANCELLED = Exchange._fields.index("name"), Exchange._fields.index("cancelled")
_LONG_NUMBER = re.compile(r"\d{19}")  # the fast parser makes floats of numbers beyond 64 bits
_EARLY = 64  # responses that stand before their request, and are kept until it comes

# In the place of a client's message, for what came before the first.
_NOBODY = MessageRow(-1, None, 0, 0, 0, 0, 0, NOTIFICATION, None, None, "", None, 0, None, "", True, None)

Place = tuple[int, int | None]  # seq and batch


class Said(NamedTuple):
    """A server's own message: a notification, or a request to the client with what the client replied."""

    seq: int
    mono: int
    kind: str
    method: str
    raw: str
    id: Id | None = None
    reply: str | None = None
    token: str | None = None  # of a progress notification


class Turn(NamedTuple):
    """One request or notification of the client. `during` is what the server sent before it answered, `after` what
    followed until the client spoke again. `cancelled` is the frame with which the client took its request back before
    it was answered. Messages are kept as their text; `body` parses one."""

    seq: int
    batch: int | None
    conn: int
    mono: int
    kind: str
    method: str
    id: Id | None
    raw: str
    name: str | None = None
    token: str | None = None
    answer: str | None = None
    answer_seq: int | None = None
    answered: int | None = None  # on the monotonic clock
    cancelled: int | None = None
    during: tuple[Said, ...] = ()
    after: tuple[Said, ...] = ()

    @property
    def duration(self) -> int | None:
        return None if self.answered is None else max(self.answered - self.mono, 0)

    @property
    def params(self) -> Any:
        return body(self.raw).get("params")


def body(raw: str) -> dict[str, Any]:
    """A message's text as JSON; it was understood before, so it is an object."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        value = parse(raw.encode("utf-8", "surrogatepass"))[0].body
    return value if type(value) is dict else {}


def exact(raw: str) -> dict[str, Any]:
    """The same with every digit of its whole numbers, for messages that are to be sent again."""
    value = json.loads(raw) if _LONG_NUMBER.search(raw) else None
    return value if type(value) is dict else body(raw)


def turns(frames: Iterable[Frame]) -> Iterator[Turn]:
    """All turns of a recording, each when it is over."""
    reader = Reader()
    rest = iter(frames)
    while stretch := list(islice(rest, STRETCH)):
        yield from reader.feed(stretch)
    yield from reader.finish()


class _Open:
    """A turn in the making."""

    __slots__ = ("after", "answer", "answer_seq", "answered", "cancelled", "during", "name", "row", "token")

    def __init__(self, row: tuple[Any, ...], exchange: tuple[Any, ...] | None) -> None:
        self.row = row
        self.token = _token(row[_RAW], ("params", "_meta")) if methods.PROGRESS_TOKEN in row[_RAW] else None
        self.name: str | None = exchange[_NAME] if exchange else None
        self.cancelled: int | None = exchange[_CANCELLED] if exchange else None
        self.answer: str | None = None
        self.answer_seq: int | None = None
        self.answered: int | None = None
        self.during: list[Said] = []
        self.after: list[Said] = []

    def close(self, replies: dict[int, str]) -> Turn:
        row = self.row
        identity = None if row[_ID_TYPE] is None else Id(row[_ID_TYPE], row[_ID])
        return Turn(
            row[_SEQ],
            row[_BATCH],
            row[_CONN],
            row[_MONO],
            row[_KIND],
            row[_METHOD],
            identity,
            row[_RAW],
            self.name,
            self.token,
            self.answer,
            self.answer_seq,
            self.answered,
            self.cancelled,
            _with_replies(self.during, replies),
            _with_replies(self.after, replies),
        )


def _with_replies(said: list[Said], replies: dict[int, str]) -> tuple[Said, ...]:
    if not replies or not said:
        return tuple(said)
    return tuple(one._replace(reply=replies.get(one.seq)) if one.kind == REQUEST else one for one in said)


class Reader:
    """Feed it a recording's frames in order; what comes out are turns that are over."""

    def __init__(self) -> None:
        self._deriver = Deriver()
        self._open: dict[Place, _Open] = {}  # requests without an answer, in order
        self._answered: list[_Open] = []  # over as soon as the client speaks again
        self._last: _Open | None = None
        self._tokens: dict[str, _Open] = {}
        self._exchanges: dict[int, _Open] = {}  # by the number of the HTTP exchange that carries them
        self._replies: dict[int, str] = {}  # the client's replies by the seq of the server's request
        self._early: dict[Place, tuple[str, int]] = {}
        self._unprompted = _Open(_NOBODY, None)
        self.malformed = 0  # messages of the client that are none
        self.session: str | None = None

    @property
    def facts(self) -> Facts:
        return self._deriver.facts

    @property
    def unprompted(self) -> list[Said]:
        """What the server said before its client had said anything."""
        return self._unprompted.after

    def with_replies(self, turn: Turn) -> Turn:
        """The turn with the replies that came after it was over."""
        during, after = _with_replies(list(turn.during), self._replies), _with_replies(list(turn.after), self._replies)
        return turn._replace(during=during, after=after)

    def feed(self, frames: list[Frame]) -> list[Turn]:
        if frames and frames[0].channel == HEADER:
            found = _object(frames[0].data).get("session")
            self.session = found if type(found) is str else None
        rows = self._deriver.feed(frames)
        exchanges: dict[Place, tuple[Any, ...]] = {}
        answers: dict[Place, Place] = {}
        for exchange in (*rows.exchanges, *rows.changed):
            place = exchange[:2]
            exchanges[place] = exchange
            if exchange[_ANSWER] is not None:
                answers[exchange[_ANSWER], exchange[_ANSWER_BATCH]] = place
        for place, exchange in exchanges.items():
            if place in self._open and exchange[_CANCELLED] is not None:
                self._open[place].cancelled = exchange[_CANCELLED]
        done: list[Turn] = []
        for row in rows.messages:
            if SENDERS[row[_CHANNEL]] == CLIENT:
                self._client(row, exchanges, answers, done)
            else:
                self._server(row, answers)
        return done

    def finish(self) -> list[Turn]:
        """The turns that were still open when the recording ended."""
        done: list[Turn] = []
        self._flush(done)
        done += [turn.close(self._replies) for turn in self._open.values()]
        self._open.clear()
        return sorted(done)

    def _client(
        self,
        row: tuple[Any, ...],
        exchanges: dict[Place, tuple[Any, ...]],
        answers: dict[Place, Place],
        done: list[Turn],
    ) -> None:
        kind, place = row[_KIND], row[:2]
        if kind == RESPONSE:
            asked = answers.get(place)
            if asked is not None:
                self._replies[asked[0]] = row[_RAW]
            return
        if kind not in (REQUEST, NOTIFICATION):
            self.malformed += 1
            return
        self._flush(done)
        turn = self._last = _Open(row, exchanges.get(place))
        if kind == NOTIFICATION:
            self._answered.append(turn)
            return
        self._open[place] = turn
        if row[_META] is not None:
            self._exchanges[_exchange(row[_META])] = turn
        if turn.token is not None:
            self._tokens[turn.token] = turn
        exchange = exchanges.get(place)
        if exchange is not None and exchange[_ANSWER] is not None and exchange[_ANSWER] < row[_SEQ]:
            early = self._early.pop((exchange[_ANSWER], exchange[_ANSWER_BATCH]), None)
            if early is not None:
                self._answer(place, early[0], exchange[_ANSWER], early[1])

    def _server(self, row: tuple[Any, ...], answers: dict[Place, Place]) -> None:
        kind = row[_KIND]
        if kind == RESPONSE:
            place = answers.get(row[:2])
            if place in self._open:
                self._answer(place, row[_RAW], row[_SEQ], row[_MONO])
            else:
                self._early[row[:2]] = row[_RAW], row[_MONO]
                if len(self._early) > _EARLY:
                    del self._early[next(iter(self._early))]
            return
        if kind not in (REQUEST, NOTIFICATION) or row[_RAW] is None:
            return
        identity = None if row[_ID_TYPE] is None else Id(row[_ID_TYPE], row[_ID])
        token = _token(row[_RAW], ("params",)) if row[_METHOD] == methods.PROGRESS else None
        said = Said(row[_SEQ], row[_MONO], kind, row[_METHOD], row[_RAW], identity, None, token)
        turn = self._tokens.get(token) if token is not None else None
        if turn is None and row[_META] is not None:
            turn = self._exchanges.get(_exchange(row[_META]))
        elif turn is None and self._open:
            turn = next(reversed(self._open.values()))
        if turn is not None and turn.row[_METHOD] == methods.LISTEN:
            turn = self._last  # what is listened for is news of what was done since
        if turn is not None and turn.answer is None:
            turn.during.append(said)
        else:
            (turn or self._last or self._unprompted).after.append(said)

    def _answer(self, place: Place, raw: str, seq: int, mono: int) -> None:
        turn = self._open.pop(place)
        turn.answer, turn.answer_seq, turn.answered = raw, seq, mono
        self._answered.append(turn)

    def _flush(self, done: list[Turn]) -> None:
        for turn in self._answered:
            done.append(turn.close(self._replies))
            if turn.token is not None and self._tokens.get(turn.token) is turn:
                del self._tokens[turn.token]
            if turn.row[_META] is not None:
                self._exchanges.pop(_exchange(turn.row[_META]), None)
        self._answered.clear()


def _exchange(meta: str) -> int:
    """The number of the HTTP exchange that a message was part of."""
    number = _object(meta).get("x")
    return number if type(number) is int else -1


def _object(data: str | bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}
    return value if type(value) is dict else {}


def _token(raw: str, path: tuple[str, ...]) -> str | None:
    """The progress token at this place of a message."""
    place: Any = body(raw)
    for key in path:
        place = place.get(key) if type(place) is dict else None
    if type(place) is not dict or methods.PROGRESS_TOKEN not in place:
        return None
    token = identify(place[methods.PROGRESS_TOKEN], raw.encode(), (*path, methods.PROGRESS_TOKEN))
    return f"{token.type}:{token.text}"
