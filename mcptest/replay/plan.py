"""From a recording to a plan: what to send again, after what, and which of its values come from live answers."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import Any, NamedTuple

from mcptest.protocol import LISTS, methods
from mcptest.replay.carrying import Carry, Carrying
from mcptest.replay.turns import Reader, Said, Turn, body
from mcptest.wire import Frame, Id
from mcptest.wire.facts import Facts
from mcptest.wire.message import REQUEST, identify


class Step(NamedTuple):
    """One message to send. `after` are the steps whose answers the client got since it last spoke; `gap` is how long it
    waited since it last spoke, in nanoseconds; `leg_of` is the step that a server answered with a request for input,
    which this one brings. `abandoned` is the frame with which a request was taken back without a word, by closing its
    stream."""

    number: int
    turn: Turn
    after: tuple[int, ...]
    gap: int
    carries: tuple[Carry, ...] = ()
    leg_of: int | None = None
    abandoned: int | None = None

    @property
    def waits(self) -> bool:
        """Does its answer have to be waited for? Not if the recording has none, nor if the client took it back:
        whether an answer comes then is a matter of luck."""
        turn = self.turn
        answered = turn.answer is not None and turn.cancelled is None
        return turn.kind == REQUEST and answered and turn.method != methods.LISTEN

    @property
    def label(self) -> str:
        """`tools/call search`."""
        return f"{self.turn.method} {self.turn.name}" if self.turn.name else self.turn.method


class Recording(NamedTuple):
    """All of a recording at once. `unprompted` is what the server said before its client did."""

    turns: tuple[Turn, ...]
    unprompted: tuple[Said, ...]
    malformed: int
    facts: Facts
    session: str | None = None  # its id

    @property
    def said(self) -> Iterable[Said]:
        yield from self.unprompted
        for turn in self.turns:
            yield from turn.during
            yield from turn.after


def read(frames: Iterable[Frame]) -> Recording:
    reader = Reader()
    turns = [*reader.feed(list(frames)), *reader.finish()]
    return Recording(
        tuple(sorted((reader.with_replies(turn) for turn in turns), key=lambda turn: (turn.seq, turn.batch or 0))),
        tuple(reader.unprompted),
        reader.malformed,
        reader.facts,
        reader.session,
    )


def plan(recording: Recording) -> tuple[Step, ...]:
    carrying = Carrying()
    taken_back = {cancelled_by(turn) for turn in recording.turns if turn.method == methods.CANCELLED}
    steps: list[Step] = []
    coming: list[tuple[int, int]] = []  # answers by their place in the recording, with the number of their step
    spoke = None
    for number, turn in enumerate(recording.turns):
        after = []
        while coming and coming[0][0] < turn.seq:
            answered = heapq.heappop(coming)[1]
            carrying.learn(answered, recording.turns[answered])
            after.append(answered)
        gap = 0 if spoke is None else max(turn.mono - spoke, 0)
        abandoned = None if turn.id in taken_back else turn.cancelled
        steps.append(Step(number, turn, tuple(after), gap, carrying.into(turn), _leg_of(turn, steps), abandoned))
        if turn.answer_seq is not None:
            heapq.heappush(coming, (turn.answer_seq, number))
        spoke = turn.mono
    return tuple(steps)


def _leg_of(turn: Turn, steps: list[Step]) -> int | None:
    """The latest step of the same request whose answer asked for the input that this turn brings."""
    params = turn.params
    if type(params) is not dict or not ("inputResponses" in params or "requestState" in params):
        return None
    for step in reversed(steps):
        if step.turn.method == turn.method and step.turn.name == turn.name and asks_for_input(step.turn):
            return step.number
    return None


def cancelled_by(turn: Turn) -> Id | None:
    """The request that a cancellation takes back, by its recorded id."""
    params = turn.params
    if type(params) is not dict or "requestId" not in params:
        return None
    return identify(params["requestId"], turn.raw.encode(), ("params", "requestId"))


def asks_for_input(turn: Turn) -> bool:
    return turn.answer is not None and is_input_required(body(turn.answer))


def is_input_required(answer: dict[str, Any]) -> bool:
    result = answer.get("result")
    return type(result) is dict and result.get("resultType") == "input_required"


def listed(recording: Recording, kind: str) -> dict[str, Any]:
    """The definitions of a kind (tool, …) that the recording's listings hold, the last one of each name."""
    found: dict[str, Any] = {}
    for turn in recording.turns:
        listing = LISTS.get(turn.method)
        if listing is not None and listing.kind == kind and turn.answer is not None:
            found |= definitions(body(turn.answer), listing.key)
    return found


def definitions(answer: dict[str, Any], key: str) -> dict[str, Any]:
    """By name, what the answer to a list request holds."""
    result = answer.get("result")
    items = result.get(key) if type(result) is dict else None
    return {
        item["name"]: item
        for item in (items if type(items) is list else ())
        if type(item) is dict and type(item.get("name")) is str
    }


def carried(recording: Recording) -> frozenset[int]:
    """The numbers of the turns that sent back what an earlier answer gave them: an id, a cursor, a URI."""
    return frozenset(step.number for step in plan(recording) if step.carries)
