"""The mock's brain: messages of a client in, what its server does about them out. No sockets, no clock.

A recorded turn is played as a script: what the server said before it answered, the answer, what it said afterwards.
Where the server asked its client something, the script rests until the client replies.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from mcptest.protocol import HANDSHAKE_REVISIONS, methods
from mcptest.replay.mocking.acts import Act, error
from mcptest.replay.mocking.library import Library
from mcptest.replay.mocking.misses import explain
from mcptest.replay.mocking.openings import discovered
from mcptest.replay.mocking.shelves import Shelf
from mcptest.replay.mocking.splicing import canonical_message, id_text, notification, subscribed, subscription, with_id
from mcptest.replay.turns import Said, Turn, body
from mcptest.wire import Id, Message, parse
from mcptest.wire.message import NOTIFICATION, REQUEST, RESPONSE, identify

_EXHAUSTED = -32000
_CANCELLED = "cancelled"  # in the place of an id's type: what rests until its request is cancelled
# Between the messages of one turn, also where the recorded pauses are left out: some clients lose notifications that
# arrive in one read with the answer, as they never do from a server that works between them.
_BREATH = 2_000_000


class OnExhausted(enum.StrEnum):
    """What a request gets that is asked more often than it was recorded."""

    LAST = "last"
    ERROR = "error"
    CYCLE = "cycle"


class Brain:
    """What all conversations with one mock share."""

    def __init__(
        self,
        library: Library,
        *,
        on_exhausted: OnExhausted = OnExhausted.LAST,
        forward: bool = False,
    ) -> None:
        self.library, self.on_exhausted, self.forward = library, on_exhausted, forward

    def converse(self) -> Conversation:
        return Conversation(self)


class Conversation:
    """One client. `receive` takes a message's text and says what to do, in order."""

    def __init__(self, brain: Brain) -> None:
        self._brain, self._library = brain, brain.library
        self._asked: dict[tuple[str, bytes], int] = {}
        self._told: dict[str, int] = {}
        self._resting: dict[Id, Iterator[Act]] = {}
        self._listening: dict[str, str] = {}  # by the recorded id of a subscription, the live one
        self._own = 0

    def open(self) -> list[Act]:
        """What the server says before it is spoken to."""
        return list(self._play(self._library.unprompted, None, "", None))

    def receive(self, data: bytes) -> list[Act]:
        messages = parse(data)
        if len(messages) == 1 and messages[0].batch is None:
            return self._one(messages[0])
        acts = [act for message in messages for act in self._one(message)]
        answers = [act.data for act in acts if act.is_answer]
        rest = [act for act in acts if not act.is_answer]
        return [*rest, Act(b"[" + b",".join(answers) + b"]", is_answer=True)] if answers else rest

    def learn(self, request: dict[str, Any], answer: bytes) -> None:
        """An exchange that was forwarded, and is part of the recording from now on."""
        message = parse(orjson.dumps(request))[0]
        params = request.get("params")
        name = params.get(methods.NAMES.get(request["method"], "")) if type(params) is dict else None
        raw = orjson.dumps(request).decode()
        turn = Turn(0, None, 0, 0, REQUEST, request["method"], message.id, raw, name, None, answer.decode())
        self._library.add(turn)

    def _one(self, message: Message) -> list[Act]:
        if message.kind == REQUEST:
            return self._request(message)
        if message.kind == NOTIFICATION:
            return self._notification(message)
        if message.kind == RESPONSE:
            script = self._resting.pop(message.id, None) if message.id is not None else None
            return [] if script is None else self._until_rest(script)
        error = {"code": -32700, "message": f"mcptest mock: {message.reason}"}
        return [Act(canonical_message({"jsonrpc": "2.0", "id": None, "error": error}), is_answer=True)]

    # ---- requests

    def _request(self, message: Message) -> list[Act]:
        assert message.body is not None
        assert message.method is not None
        assert message.id is not None
        method, params, live = message.method, message.body.get("params"), id_text(message.id)
        shelf = self._library.find(method, params)
        if shelf is None:
            return self._miss(message, live)
        turn = self._choose(shelf)
        if turn is None:
            return [error(live, _EXHAUSTED, f"{method} was recorded {len(shelf.turns)} times, and is asked again")]
        self._library.asked.add(turn.seq)
        if method == methods.LISTEN and turn.id is not None:
            self._listening[turn.id.text] = live
        if turn.answer is not None and not turn.during and not turn.after and turn.cancelled is None:
            return [Act(self._answer(turn, params, live), live, is_answer=True, delay=turn.duration or 0)]
        return self._until_rest(self._script(turn, params, live))

    def _choose(self, shelf: Shelf) -> Turn | None:
        key = shelf[:2]
        number = self._asked.get(key, 0)
        self._asked[key] = number + 1
        turn = self._library.take(shelf, number)
        if turn is not None:
            return turn
        if self._brain.on_exhausted is OnExhausted.ERROR:
            return None
        return shelf.turns[number % len(shelf.turns) if self._brain.on_exhausted is OnExhausted.CYCLE else -1]

    def _miss(self, message: Message, live: str) -> list[Act]:
        assert message.body is not None
        own = (
            {}
            if message.method == "ping"
            else discovered(self._library)
            if message.method == methods.DISCOVER
            else None
        )
        if own is not None:
            result = orjson.dumps(own).decode()
            return [Act(f'{{"jsonrpc":"2.0","id":{live},"result":{result}}}'.encode(), live, is_answer=True)]
        if self._brain.forward:
            return [Act(request=live, forward=message.body)]
        error = explain(self._library, message.method or "", message.body.get("params"))
        answer = {"jsonrpc": "2.0", "id": orjson.loads(live), "error": error}
        return [Act(canonical_message(answer), live, is_answer=True)]

    def _answer(self, turn: Turn, params: Any, live: str) -> bytes:
        assert turn.answer is not None
        assert turn.id is not None
        raw = turn.answer
        if turn.method == methods.INITIALIZE:
            raw = _agreed(raw, params)
        return with_id(raw, turn.id, live)

    def _notification(self, message: Message) -> list[Act]:
        method = message.method or ""
        if method == methods.CANCELLED:
            return self._cancel(message)
        number = self._told.get(method, 0)
        self._told[method] = number + 1
        while len(self._library.notifications.get(method, ())) <= number and self._library.read_on():
            pass
        recorded = self._library.notifications.get(method, [])
        if number >= len(recorded):
            return []
        return self._until_rest(self._play(recorded[number].after, None, "", None, recorded[number].mono))

    def _cancel(self, message: Message) -> list[Act]:
        params = (message.body or {}).get("params")
        if type(params) is not dict or "requestId" not in params:
            return []
        live = id_text(identify(params["requestId"], b""))
        script = self._resting.pop(Id(_CANCELLED, live), None)
        acts = [] if script is None else self._until_rest(script)
        return acts if any(act.is_answer for act in acts) else [*acts, Act(request=live, cancel=True)]

    # ---- scripts

    def _until_rest(self, script: Iterator[Act]) -> list[Act]:
        """Everything up to where the server waits for its client."""
        acts: list[Act] = []
        for act in script:
            acts.append(act._replace(late=_BREATH) if acts else act)
            if act.until is not None:
                self._resting[act.until] = script
                break
        return acts

    def _script(self, turn: Turn, params: Any, live: str) -> Iterator[Act]:
        meta = params.get("_meta") if type(params) is dict else None
        token = meta.get(methods.PROGRESS_TOKEN) if type(meta) is dict else None
        yield from self._play(turn.during, turn, live, token, turn.mono)
        if turn.cancelled is not None:
            yield Act(request=live, until=Id(_CANCELLED, live))
        if turn.answer is not None:
            last = turn.during[-1].mono if turn.during else turn.mono
            delay = max((turn.answered or last) - last, 0)
            yield Act(self._answer(turn, params, live), live, is_answer=True, delay=delay)
        yield from self._play(turn.after, None, live, token, turn.answered or turn.mono)

    def _play(
        self, said: Sequence[Said], turn: Turn | None, live: str, token: Any, since: int | None = None
    ) -> Iterator[Act]:
        for one in said:
            delay = 0 if since is None else max(one.mono - since, 0)
            since = one.mono
            request = live if turn is not None else None
            if one.kind == REQUEST:
                self._own += 1
                own = Id("number", str(self._own))
                assert one.id is not None
                data = with_id(one.raw, one.id, own.text)
                yield Act(data, request, delay=delay, until=own if one.reply is not None else None)
                continue
            listening = subscription(one)
            if listening is not None:
                request = self._listening.get(listening)
                adapted = None if request is None else subscribed(one, request)
            else:
                adapted = notification(one, turn.token if turn is not None else None, token)
            if adapted is not None:
                yield Act(adapted, request, delay=delay)


def _agreed(raw: str, params: Any) -> str:
    """The answer to an `initialize`: a client of an older revision gets its own, as every server would agree to."""
    asked = params.get("protocolVersion") if type(params) is dict else None
    answer = body(raw)
    result = answer.get("result")
    offered = result.get("protocolVersion") if type(result) is dict else None
    if asked not in HANDSHAKE_REVISIONS or offered not in HANDSHAKE_REVISIONS or asked >= offered:
        return raw
    return canonical_message({**answer, "result": {**result, "protocolVersion": asked}}).decode()  # type: ignore[dict-item]
