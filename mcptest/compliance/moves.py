"""What moving to a revision takes, as data, and whether a session shows that it is needed.

`moves.yaml` names each change with what betrays it in traffic:

    sends: {client: [ping]}            a request or notification
    declares: {server: [logging]}      a capability; declared is less than used
    transport: [sse]
    batch: true
    errors: [-32042]
    lacks: resultType, of: [tools/list]           a member that the server's results do not have
    value: {in: METHOD, at: [path], is: [values]}  a value in a request; `*` stands for any member
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mcptest import yamltext
from mcptest.compliance.corpora import revision_of
from mcptest.compliance.history import History
from mcptest.compliance.known import Capabilities
from mcptest.compliance.reader import ERROR, LINE, RESULT
from mcptest.wire.frame import CLIENT, SERVER
from mcptest.wire.message import NOTIFICATION, REQUEST

_MOST_FRAMES = 5  # that are shown of one move; all are counted
_FILE = Path(__file__).with_name("moves.yaml")


class Effect(enum.StrEnum):
    """What a move does to those who do not make it."""

    BREAKS = "breaks"
    ADVISED = "advised"
    DEPRECATED = "deprecated"


class Move(NamedTuple):
    """`todo` says what each side does about it, `covers` which rules say the same message by message, `suite` which
    words of a suite count on it."""

    name: str
    since: str
    effect: Effect
    title: str
    seen: Mapping[str, Any]
    todo: Mapping[str, str]
    page: str
    covers: frozenset[str] = frozenset()
    suite: tuple[str | int, ...] = ()

    def concerns(self, from_: str, to: str) -> bool:
        """Does it matter to who goes from one revision to another? What is deprecated stays so."""
        since, end = revision_of(self.since), revision_of(to)
        return since <= end and (self.effect is Effect.DEPRECATED or revision_of(from_) < since)


@cache
def moves() -> tuple[Move, ...]:
    return tuple(_move(name, given) for name, given in _content()["moves"].items())


def advice(rule: str) -> str | None:
    found = _content()["rules"].get(rule)
    return None if found is None else str(found)


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = yamltext.load(_FILE).value
    return content


def _move(name: str, given: Mapping[str, Any]) -> Move:
    todo = {side: given[side] for side in (SERVER, CLIENT) if side in given}
    return Move(
        name,
        given["since"],
        Effect(given["effect"]),
        given["title"],
        given["seen"],
        todo,
        given["page"],
        frozenset(given.get("covers", ())),
        tuple(given.get("suite", ())),
    )


class Sight:
    """How often something was seen, the first frames of it, and what it was: `roots/list` from the server."""

    __slots__ = ("count", "declared", "frames", "what")

    def __init__(self) -> None:
        self.count = 0
        self.frames: list[int] = []
        self.what: dict[str, int] = {}
        self.declared: list[str] = []

    def add(self, what: str, seq: int) -> None:
        self.count += 1
        self.what[what] = self.what.get(what, 0) + 1
        if len(self.frames) < _MOST_FRAMES:
            self.frames.append(seq)

    @property
    def text(self) -> str:
        """`ping (2)`, or what was only declared."""
        seen = [what if number == 1 else f"{what} ({number})" for what, number in self.what.items()]
        return ", ".join([*seen, *(f"declared: {one}" for one in self.declared)])

    def __bool__(self) -> bool:
        return bool(self.count or self.declared)


class Watch:
    """Looks at a session once, for all moves."""

    def __init__(self, wanted: Sequence[Move]) -> None:
        self.sights = {move.name: Sight() for move in wanted}
        self._wanted = wanted
        self._senders: dict[tuple[str, str], list[Sight]] = {}
        self._lacking: dict[str, list[tuple[str, Sight]]] = {}
        self._codes: dict[int, list[Sight]] = {}
        self._values: dict[str, list[tuple[Mapping[str, Any], Sight]]] = {}
        self._batches: list[Sight] = []
        self._client: Capabilities | None = None  # as a client of the stateless era declares it, with each request
        for move in wanted:
            self._prepare(move.seen, self.sights[move.name])

    def _prepare(self, seen: Mapping[str, Any], sight: Sight) -> None:
        for side, methods in seen.get("sends", {}).items():
            for method in methods:
                self._senders.setdefault((side, method), []).append(sight)
        for method in seen.get("of", ()):
            self._lacking.setdefault(method, []).append((seen["lacks"], sight))
        for code in seen.get("errors", ()):
            self._codes.setdefault(code, []).append(sight)
        if "value" in seen:
            self._values.setdefault(seen["value"]["in"], []).append((seen["value"], sight))
        if seen.get("batch"):
            self._batches.append(sight)

    def happened(self, event: str, sender: str, method: str | None, subject: Any) -> None:
        if event in (REQUEST, NOTIFICATION):
            assert method is not None
            if sender == CLIENT and subject.modern:
                self._client = subject.client_capabilities or self._client
            for sight in self._senders.get((sender, method), ()):
                sight.add(method, subject.seq)
            for value, sight in self._values.get(method, ()):
                for found in _at(subject.body, value["at"]):
                    if "is" not in value or (type(found) is str and found in value["is"]):
                        sight.add(method, subject.seq)
        elif event == RESULT and sender == SERVER and method is not None:
            for member, sight in self._lacking.get(method, ()):
                if member not in subject.result:
                    sight.add(f"{method} without {member}", subject.answer.seq)
        elif event == ERROR and type(subject.code) is int:
            for sight in self._codes.get(subject.code, ()):
                sight.add(f"error {subject.code}", subject.answer.seq)
        elif event == LINE and subject.array:
            for sight in self._batches:
                sight.add(f"an array from the {sender}", subject.seq)

    def finish(self, history: History) -> None:
        """What a session shows as a whole: its transport and what was declared."""
        known = history.known
        declared = {CLIENT: (known.client, self._client), SERVER: (known.server, known.discovered)}
        for move in self._wanted:
            sight = self.sights[move.name]
            if history.transport in move.seen.get("transport", ()):
                sight.add(f"the transport {history.transport}", 0)
                sight.frames.clear()
            for side, names in move.seen.get("declares", {}).items():
                for name in names:
                    if any(one is not None and one.declares(name) for one in declared[side]):
                        sight.declared.append(f"{name} ({side})")


def _at(value: Any, path: Sequence[str]) -> Iterator[Any]:
    if not path:
        yield value
    elif type(value) is dict:
        inner = value.values() if path[0] == "*" else [value[path[0]]] if path[0] in value else []
        for one in inner:
            yield from _at(one, path[1:])
