"""Which response answers which request.

An id is unique per connection and asking side only, so a request waits under the key (conn, sender, id), and `1` is
not `"1"`. Peers do strange things, and each must leave a true picture:

- Two requests with the same id in flight: a response answers the older one.
- A response that nothing waits for (a second one, an unknown id, none) answers nothing.
- A response that stands before its request in the recording. The two directions are read by two threads, so this
  happens to honest peers: where the monotonic clock says that the response was read after the request, they are a
  pair all the same; where it does not, they are not.
- A cancelled request may still be answered; progress counts only while a request waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from mcptest.protocol import methods
from mcptest.wire.frame import CLIENT, SERVER
from mcptest.wire.message import Id, identify

# A response may stand this many frames before its request.
EARLIEST = 64
_LONGEST_EARLY_ID = 256  # these are remembered, and no honest id is longer

_MOST_LOOKED_THROUGH = 1000  # requests that wait, when one of them is abandoned

LONGEST_TEXT = 4096  # of an error's message; all of it stands in the response

Key = tuple[int, str, tuple[str, str]]  # connection, who asked, and the request's id
OTHER = {CLIENT: SERVER, SERVER: CLIENT}


class Exchange(NamedTuple):
    """A request and its answer, or its silence.

    `seq` and `batch` place the request, `answer` and `answer_batch` the response. `name` is what the request is about
    (a tool, a prompt, a resource's URI). `revision` is what the request itself says in `_meta`, as the stateless
    revisions demand. `duration` is in nanoseconds of the monotonic clock.
    """

    seq: int
    batch: int | None
    conn: int
    sender: str
    method: str
    id_type: str
    id: str
    at: int
    mono: int
    name: str | None
    cursor: str | None
    token: str | None
    revision: str | None
    answer: int | None
    answer_batch: int | None
    duration: int | None
    failed: bool
    error_code: int | None
    error_message: str | None
    is_error: bool | None
    result_type: str | None
    cancelled: int | None
    progress: int

    @property
    def status(self) -> str:
        if self.answer is not None:
            return "error" if self.failed else "answered"
        return "unanswered" if self.cancelled is None else "cancelled"


class Waiting:
    """An exchange in the making. What a request does not say at once has its default in the class: hundreds of
    thousands of these are made a second."""

    name: str | None = None
    cursor: str | None = None
    token: str | None = None
    revision: str | None = None
    answer: int | None = None
    answer_batch: int | None = None
    duration: int | None = None
    failed = False
    error_code: int | None = None
    error_message: str | None = None
    is_error: bool | None = None
    result_type: str | None = None
    cancelled: int | None = None
    progress = 0
    saved = False  # stands in the capture already, so a change replaces it

    def __init__(
        self,
        seq: int,
        batch: int | None,
        conn: int,
        sender: str,
        method: str,
        identity: tuple[str, str],
        at: int,
        mono: int,
    ) -> None:
        self.seq = seq
        self.batch = batch
        self.conn = conn
        self.sender = sender
        self.method = method
        self.id_type, self.id = identity
        self.at = at
        self.mono = mono
        self.key: Key = (conn, sender, identity)


row_of = attrgetter(*Exchange._fields)


class Early(NamedTuple):
    """A response that nothing waited for when it came."""

    seq: int
    batch: int | None
    mono: int
    body: dict[str, Any]


class Pairing:
    """Requests in, responses in; exchanges out when the caller collects them."""

    def __init__(self) -> None:
        self.fresh: list[Waiting] = []
        self.changed: dict[int, Waiting] = {}  # saved before and changed since, by identity
        self.early: dict[Key, Early] = {}
        self._waiting: dict[Key, Waiting | deque[Waiting]] = {}  # a queue only where an id is in flight twice
        self._tokens: dict[tuple[int, str, str], Waiting] = {}

    def restore(self, exchanges: Iterable[Exchange]) -> None:
        """The requests that were still waiting when their session was last saved, in order."""
        for exchange in exchanges:
            waiting = Waiting(*exchange[:5], Id(exchange.id_type, exchange.id), exchange.at, exchange.mono)
            for field, value in zip(Exchange._fields, exchange, strict=True):
                setattr(waiting, field, value)
            waiting.saved = True
            self._wait(waiting)

    def collect(self) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """The exchanges that are new, and those saved before that have changed since."""
        fresh, changed = [row_of(waiting) for waiting in self.fresh], [row_of(w) for w in self.changed.values()]
        for waiting in self.fresh:
            if waiting.answer is None:
                waiting.saved = True
        self.fresh.clear()
        self.changed.clear()
        return fresh, changed

    def ask(self, waiting: Waiting, body: dict[str, Any], data: bytes) -> None:
        """A request was sent."""
        params = body.get("params")
        if type(params) is dict:
            key = methods.NAMES.get(waiting.method)
            if key is not None:
                name = params.get(key)
                waiting.name = name if type(name) is str else text_of(name)
            elif waiting.method in methods.LISTS:
                waiting.cursor = text_of(params.get("cursor"))
            meta = params.get("_meta")
            if type(meta) is dict and meta:
                waiting.revision = text_of(meta.get(methods.PROTOCOL_VERSION))
                if methods.PROGRESS_TOKEN in meta:
                    token = identify(meta[methods.PROGRESS_TOKEN], data, ("params", "_meta", methods.PROGRESS_TOKEN))
                    waiting.token = f"{token.type}:{token.text}"
        self.fresh.append(waiting)
        if self._waiting.setdefault(waiting.key, waiting) is not waiting or waiting.token is not None:
            self._wait(waiting)

    def answer(
        self,
        key: Key,
        body: dict[str, Any],
        seq: int,
        batch: int | None,
        mono: int,
        meant: Callable[[Waiting], bool] | None = None,
    ) -> Waiting | None:
        """A response was sent: the exchange it ends, if one waits. Of several that have the id it is the oldest, or the
        first that is `meant`."""
        found = self._waiting.pop(key, None)
        if found is None:
            if len(key[2][1]) <= _LONGEST_EARLY_ID:
                self.early[key] = Early(seq, batch, mono, body)
            if len(self.early) > EARLIEST:
                del self.early[next(iter(self.early))]
            return None
        if isinstance(found, deque):
            waiting = next(filter(meant, found), found[0])
            found.remove(waiting)
            if found:
                self._waiting[key] = found
        else:
            waiting = found
        waiting.answer = seq
        waiting.answer_batch = batch
        waiting.duration = mono - waiting.mono if mono > waiting.mono else 0
        if "error" in body and is_error(body):
            waiting.failed = True
            waiting.error_code, waiting.error_message = error_of(body["error"])
        else:
            result = body.get("result")
            if type(result) is dict:
                if waiting.method == methods.CALL_TOOL:
                    waiting.is_error = result.get("isError") is True
                if "resultType" in result:
                    waiting.result_type = text_of(result["resultType"])
        if waiting.token is not None:
            self._forget(waiting)
        if waiting.saved:
            self.changed[id(waiting)] = waiting
        return waiting

    def answer_early(self, asked: Waiting) -> tuple[Waiting, Early] | None:
        """After a request: the response that was recorded before it although it was read after it, and what it ends."""
        early = self.early.get(asked.key)
        if early is None or early.mono < asked.mono or asked.seq - early.seq > EARLIEST:
            return None
        del self.early[asked.key]
        ended = self.answer(asked.key, early.body, early.seq, early.batch, early.mono)
        return None if ended is None else (ended, early)

    def cancel(self, conn: int, sender: str, params: dict[str, Any], data: bytes, seq: int) -> None:
        """A party takes back its request; a server may also end a subscription that its client listens to."""
        if "requestId" not in params:
            return
        identity = identify(params["requestId"], data, ("params", "requestId"))
        waiting = self._oldest((conn, sender, identity))
        if waiting is None:
            waiting = self._oldest((conn, OTHER[sender], identity))
            if waiting is None or waiting.method != methods.LISTEN:
                return
        waiting.cancelled = seq
        self._touch(waiting)

    def abandon(self, request: int, seq: int) -> None:
        """A client closed the connection that it waited on: in the stateless revisions, that takes its request back."""
        if len(self._waiting) > _MOST_LOOKED_THROUGH:
            return
        for found in list(self._waiting.values()):
            for waiting in found if isinstance(found, deque) else (found,):
                if waiting.seq == request and waiting.revision is not None:
                    waiting.cancelled = seq
                    self._touch(waiting)

    def advance(self, conn: int, sender: str, params: dict[str, Any], data: bytes) -> None:
        """Progress was reported by the side that was asked."""
        if methods.PROGRESS_TOKEN not in params:
            return
        token = identify(params[methods.PROGRESS_TOKEN], data, ("params", methods.PROGRESS_TOKEN))
        waiting = self._tokens.get((conn, OTHER[sender], f"{token.type}:{token.text}"))
        if waiting is not None:
            waiting.progress += 1
            self._touch(waiting)

    def _oldest(self, key: Key) -> Waiting | None:
        found = self._waiting.get(key)
        return found[0] if isinstance(found, deque) else found

    def _wait(self, waiting: Waiting) -> None:
        found = self._waiting.setdefault(waiting.key, waiting)
        if isinstance(found, deque):
            found.append(waiting)
        elif found is not waiting:
            self._waiting[waiting.key] = deque((found, waiting))
        if waiting.token is not None:
            self._tokens[waiting.conn, waiting.sender, waiting.token] = waiting

    def _forget(self, waiting: Waiting) -> None:
        """Nobody asks for the token of an answered request again, and a capture is spared it."""
        token = (waiting.conn, waiting.sender, str(waiting.token))
        if self._tokens.get(token) is waiting:
            del self._tokens[token]
        waiting.token = None

    def _touch(self, waiting: Waiting) -> None:
        if waiting.saved:
            self.changed[id(waiting)] = waiting


def is_error(response: dict[str, Any]) -> bool:
    """Some peers send `"error": null` beside a result."""
    return "error" in response and (response["error"] is not None or "result" not in response)


def error_of(error: Any) -> tuple[int | None, str | None]:
    """An error object's code, if it is a whole number, and message, whatever the peer put there."""
    if type(error) is not dict:
        return None, shorten(text_of(error))
    code = error.get("code")
    whole = code if type(code) is int and -(1 << 63) <= code < 1 << 63 else None
    return whole, shorten(text_of(error.get("message")))


def text_of(value: Any) -> str | None:
    """A value that should be text: any other keeps its JSON form."""
    return value if value is None or type(value) is str else identify(value, b"").text


def shorten(text: str | None) -> str | None:
    return text if text is None or len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"
