"""Accept what a replay answered: the recording with the answers that drifted replaced by the live ones.

Everything else stays as it was recorded, so that a recording in version control changes where the server did. The live
answers are taken from the recording of the replay, where secrets are redacted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mcptest.capture import journals
from mcptest.protocol import methods
from mcptest.replay.drift import Drift, Kind
from mcptest.replay.mocking.splicing import id_text, with_id
from mcptest.replay.outcomes import Outcome, Status
from mcptest.replay.plan import Recording
from mcptest.replay.regressing import Replayed
from mcptest.replay.turns import Said, Turn
from mcptest.wire import Frame
from mcptest.wire.frame import HEADER, SSE, STDOUT
from mcptest.wire.message import NOTIFICATION, REQUEST
from mcptest.wire.sse import split_lines

_ANSWERS = set(Kind) - {Kind.NOTIFICATION, Kind.REQUEST, Kind.LATENCY, Kind.SILENCE}


class Updated(NamedTuple):
    """`answers` and `messages`, the server's own, are how many were replaced; `left` says what could not be."""

    frames: list[Frame]
    answers: int
    messages: int
    left: list[str]


def updated(frames: Iterable[Frame], replayed: Replayed, live: Recording) -> Updated:
    edit = _Edit(list(frames))
    turns = {turn.id: turn for turn in live.turns if turn.id is not None}
    drifted = {one.step.number for one in replayed.drift if one.kind in _ANSWERS}
    asked = {one.step.number for one in replayed.drift if one.kind is Kind.REQUEST}
    left: list[str] = []
    replaced: set[int] = set()
    for outcome in replayed.run.outcomes:
        found = turns.get(outcome.id) if outcome.id is not None else None
        if outcome.status is not Status.RAN or found is None:
            continue
        if outcome.step.number in drifted:
            if edit.answer(outcome.step.turn, found):
                replaced.add(outcome.step.number)
            else:
                left.append(f"the answer to {outcome.step.label}, which was part of a batch")
        if replaced & {carry.step for carry in outcome.step.carries}:
            edit.request(outcome.step.turn, found)
        if outcome.step.number in asked and not edit.requests(outcome.step.turn, found):
            left.append(f"what the server asks its client during {outcome.step.label}: record it anew")
        _notifications(edit, outcome, found, replayed.drift)
    return Updated(edit.done(), len(replaced), edit.messages, left)


def _notifications(edit: _Edit, outcome: Outcome, live: Turn, drift: Iterable[Drift]) -> None:
    changed = {
        one.method
        for one in drift
        if one.kind is Kind.NOTIFICATION and (one.method != methods.PROGRESS or one.step.number == outcome.step.number)
    }
    if changed:
        edit.notifications(outcome.step.turn, live, changed)


class _Edit:
    """Changes to a list of frames, made all at once."""

    def __init__(self, frames: list[Frame]) -> None:
        self._frames = frames
        self._by_seq = {frame.seq: frame for frame in frames}
        self._data: dict[int, bytes] = {}
        self._dropped: set[int] = set()
        self._before: dict[int, list[bytes]] = {}
        self._after: dict[int, list[bytes]] = {}
        self.messages = 0

    def answer(self, recorded: Turn, live: Turn) -> bool:
        frame = self._by_seq.get(recorded.answer_seq or -1)
        if frame is None or live.answer is None or recorded.id is None or live.id is None or _is_batch(frame):
            return False
        self._data[frame.seq] = _in(frame, with_id(live.answer, live.id, id_text(recorded.id)))
        return True

    def request(self, recorded: Turn, live: Turn) -> None:
        """As it was sent: with the values of an answer that takes the place of the one that they came from."""
        frame = self._by_seq.get(recorded.seq)
        if frame is not None and recorded.id is not None and live.id is not None and not _is_batch(frame):
            self._data[frame.seq] = _in(frame, with_id(live.raw, live.id, id_text(recorded.id)))

    def requests(self, recorded: Turn, live: Turn) -> bool:
        """Only where the same is asked in other words: the client's replies are the recorded ones."""
        old, new = ([one for one in (*turn.during, *turn.after) if one.kind == REQUEST] for turn in (recorded, live))
        if [one.method for one in old] != [one.method for one in new]:
            return False
        for one, other in zip(old, new, strict=True):
            assert one.id is not None
            assert other.id is not None
            self._data[one.seq] = _in(self._by_seq[one.seq], with_id(other.raw, other.id, id_text(one.id)))
            self.messages += 1
        return True

    def notifications(self, recorded: Turn, live: Turn, changed: set[str | None]) -> None:
        anchor = recorded.seq if recorded.answer_seq is None else recorded.answer_seq
        if self._by_seq[anchor].channel not in (STDOUT, SSE):
            return  # a plain answer has no room for them

        def of(said: Iterable[Said]) -> list[Said]:
            return [one for one in said if one.kind == NOTIFICATION and one.method in changed]

        self._dropped |= {one.seq for one in of((*recorded.during, *recorded.after))}
        self._before[anchor] = [one.raw.encode() for one in of(live.during)]
        self._after[anchor] = [one.raw.encode() for one in of(live.after)]
        self.messages += len(of((*recorded.during, *recorded.after, *live.during, *live.after)))

    def done(self) -> list[Frame]:
        made: list[Frame] = []
        for frame in self._frames:
            if frame.seq in self._dropped:
                continue
            if frame.channel == HEADER:
                made.append(_renamed(frame))
                continue
            parts = [
                *(_in(frame, data) for data in self._before.get(frame.seq, ())),
                self._data.get(frame.seq, frame.data),
                *(_in(frame, data) for data in self._after.get(frame.seq, ())),
            ]
            made += [frame._replace(seq=len(made) + number, data=data) for number, data in enumerate(parts)]
        return made


def moved(frames: Iterable[Frame], now: int) -> Iterator[Frame]:
    """The same frames as if the session had begun now, so that it is the newest of its name."""
    shift = None
    for frame in frames:
        if shift is None:
            shift = now - frame.at
            facts = json.loads(frame.data) | {"started_at": now}
            frame = frame._replace(data=json.dumps(facts).encode())
        yield frame._replace(at=frame.at + shift)


def _in(frame: Frame, data: bytes) -> bytes:
    """Other data in a frame of this kind; an event keeps its other lines."""
    if frame.channel != SSE:
        return data
    others = [line for line in split_lines(frame.data) if line and not line.startswith(b"data:")]
    return b"\n".join([*others, b"data: " + data])


def _is_batch(frame: Frame) -> bool:
    return frame.data.lstrip()[:1] == b"["


def _renamed(header: Frame) -> Frame:
    """Another session than it was, under the same name."""
    facts = json.loads(header.data)
    facts |= {"updated_from": facts.get("session"), "session": journals.new_session_id()}
    return header._replace(seq=0, data=json.dumps(facts).encode())
