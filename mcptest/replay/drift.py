"""Drift: where a replay differs from its recording, after masks. Pure: a recording and a run in, remarks out."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mcptest.protocol import methods
from mcptest.replay.answers import Came, came, code, comparable, complaint, mirrors, without_text
from mcptest.replay.canonical import shorten, shown
from mcptest.replay.comparing import Change, Difference, Path, differences, pointer_of
from mcptest.replay.masks import MaskSet
from mcptest.replay.outcomes import Outcome, Run, Status
from mcptest.replay.plan import Recording, Step, listed
from mcptest.replay.shapes import shape_differences
from mcptest.replay.turns import Said, Turn, body
from mcptest.schemas import SchemaError, Validator
from mcptest.wire.message import REQUEST

SLOWER, SLOWER_BY = 5.0, 250_000_000  # what is worth a remark: so many times and so many ns longer than recorded

_SERVER_INFO: Path = ("result", "_meta", methods.SERVER_INFO)


class Compare(enum.StrEnum):
    """How closely answers are compared.

    exact: everything but what masks hide. shape: types and keys. schema: what the tool's output schema says, or where
    there is none the recorded shape, which may have grown. status: result, tool error, or error with its code.
    """

    EXACT = "exact"
    SHAPE = "shape"
    SCHEMA = "schema"
    STATUS = "status"


class Kind(enum.StrEnum):
    """What kind of drift it is; each is a rule in reports."""

    ERROR = "DRIFT-ERROR"
    RESULT = "DRIFT-RESULT"
    SILENCE = "DRIFT-SILENCE"
    SHAPE = "DRIFT-SHAPE"
    REMOVED = "DRIFT-REMOVED"
    ADDED = "DRIFT-ADDED"
    CONTENT = "DRIFT-CONTENT"
    ORDER = "DRIFT-ORDER"
    SCHEMA = "DRIFT-SCHEMA"
    NOTIFICATION = "DRIFT-NOTIFICATION"
    REQUEST = "DRIFT-REQUEST"
    LATENCY = "DRIFT-LATENCY"


_KINDS = {
    Change.ADDED: Kind.ADDED,
    Change.REMOVED: Kind.REMOVED,
    Change.CONTENT: Kind.CONTENT,
    Change.SHAPE: Kind.SHAPE,
    Change.ORDER: Kind.ORDER,
}


class Drift(NamedTuple):
    """One remark: on a step, at a pointer of its answer. `recorded` and `replayed` are what stood there."""

    kind: Kind
    step: Step
    message: str
    path: Path = ()
    recorded: Any = None
    replayed: Any = None
    method: str | None = None  # of the server's own message that it is about

    @property
    def pointer(self) -> str:
        return pointer_of(self.path)


class Judging(NamedTuple):
    """How to judge. `slower` is a factor; slower answers are drift only where it was asked for (`gate_latency`)."""

    masks: MaskSet = MaskSet()
    compare: Compare = Compare.EXACT
    slower: float = SLOWER
    gate_latency: bool = False
    ignored: frozenset[str] = frozenset()  # notifications that are not compared


def drift(recording: Recording, run: Run, judging: Judging) -> list[Drift]:
    """All remarks, in the order of the recording."""
    judge = _Judge(recording, judging)
    found: list[Drift] = []
    for outcome in run.outcomes:
        found += judge.outcome(outcome)
    if judging.compare is not Compare.STATUS:
        found += judge.messages(run)
    return sorted(found, key=lambda one: one.step.number)


class _Judge:
    def __init__(self, recording: Recording, judging: Judging) -> None:
        self._judging = judging
        self._tools = listed(recording, "tool")
        self._unprompted = recording.unprompted
        self._told: set[tuple[str, str, str]] = set()

    # ---- answers

    def outcome(self, outcome: Outcome) -> Iterator[Drift]:
        step, turn = outcome.step, outcome.step.turn
        if turn.kind != REQUEST or turn.answer is None:
            return
        if outcome.status is Status.UNANSWERED:
            yield Drift(Kind.SILENCE, step, outcome.reason or "no answer came")
        elif outcome.status is Status.RAN and outcome.answer is not None:
            found = list(self._answer(step, body(turn.answer), outcome.answer))
            yield from (one for one in found if self._is_news(one))
            yield from self._latency(outcome)

    def _answer(self, step: Step, recorded: dict[str, Any], replayed: dict[str, Any]) -> Iterator[Drift]:
        if came(recorded) is not came(replayed):
            yield _turned(step, recorded, replayed)
            return
        compare = self._judging.compare
        if compare is Compare.STATUS:
            if code(recorded) != code(replayed):
                yield _differs(step, Difference(Change.CONTENT, ("error", "code"), code(recorded), code(replayed)))
            return
        if compare is Compare.SCHEMA and came(recorded) is Came.RESULT:
            schema = self._output_schema(step.turn)
            if schema is not None:
                yield from _against_schema(step, schema, replayed)
                return
        masks = self._judging.masks.of(step.turn.method, step.turn.name)
        one, other = comparable(step.turn, recorded), comparable(step.turn, replayed)
        if mirrors(one) and mirrors(other):
            one, other = without_text(one), without_text(other)
        if compare is Compare.EXACT:
            found = differences(one, other, masks)
        else:
            found = shape_differences(one, other, masks, additions=compare is Compare.SHAPE)
        yield from (_differs(step, difference) for difference in found)

    def _output_schema(self, turn: Turn) -> Any:
        tool = self._tools.get(turn.name) if turn.method == methods.CALL_TOOL and turn.name else None
        return tool.get("outputSchema") if type(tool) is dict else None

    def _is_news(self, one: Drift) -> bool:
        """In the stateless era every answer says who the server is: that is one change, not one per answer."""
        if one.path[:3] != _SERVER_INFO:
            return True
        key = (one.pointer, repr(one.recorded), repr(one.replayed))
        known = key in self._told
        self._told.add(key)
        return not known

    def _latency(self, outcome: Outcome) -> Iterator[Drift]:
        before, now = outcome.step.turn.duration, outcome.duration
        if before is None or now is None or outcome.step.number == 0:
            return  # the first request waits for the server to start
        slack = 0 if self._judging.gate_latency else SLOWER_BY
        if now > before * self._judging.slower and now - before > slack:
            said = f"took {_ms(now)}, recorded {_ms(before)}"
            yield Drift(Kind.LATENCY, outcome.step, said, (), before, now)

    # ---- what the server sent of its own accord

    def messages(self, run: Run) -> Iterator[Drift]:
        """Notifications and requests of the server: progress and requests by the step they belong to, others over
        the whole session, since nothing says when they are due."""
        ran = {outcome.step.number: outcome.step for outcome in run.outcomes if outcome.status is Status.RAN}
        recorded: dict[_Bucket, list[Any]] = {}
        replayed: dict[_Bucket, list[Any]] = {}
        first: dict[_Bucket, Step] = {}
        opening = next(iter(ran.values()), None)
        if opening is not None:
            for said in self._unprompted:
                bucket = _bucket(-1, said.kind, said.method)
                recorded.setdefault(bucket, []).append(_said(said))
                first.setdefault(bucket, opening)
        for step in ran.values():
            for said in (*step.turn.during, *step.turn.after):
                bucket = _bucket(step.number, said.kind, said.method)
                recorded.setdefault(bucket, []).append(_said(said))
                first.setdefault(bucket, step)
        for heard in run.heard:
            bucket = _bucket(heard.step, heard.kind, heard.method)
            replayed.setdefault(bucket, []).append(_clean(heard.params))
            near = ran.get(heard.step) or opening
            if near is not None:
                first.setdefault(bucket, near)
        for bucket, step in first.items():
            if bucket.method not in self._judging.ignored:
                yield from self._bucket(bucket, step, recorded.get(bucket, []), replayed.get(bucket, []))

    def _bucket(self, bucket: _Bucket, step: Step, recorded: list[Any], replayed: list[Any]) -> Iterator[Drift]:
        kind = Kind.REQUEST if bucket.kind == REQUEST else Kind.NOTIFICATION
        noun = "request" if bucket.kind == REQUEST else "notification"
        if self._judging.compare is Compare.EXACT:
            masks = self._judging.masks.of(bucket.method, None)
            found = list(differences(recorded, replayed, masks))
        else:
            found = [*_missing_or_extra(recorded, replayed)]
        for one in found:
            place = one.path[1:]
            if place:
                message = f"{noun} {bucket.method} changed at {pointer_of(place)}: {_from_to(one)}"
            elif one.change is Change.REMOVED:
                message = f"{noun} {bucket.method} is missing"
            elif one.change is Change.ADDED:
                message = f"{noun} {bucket.method} is new"
            else:
                message = f"{noun}s {bucket.method} came in another order"
            yield Drift(kind, step, message, place, one.recorded, one.replayed, bucket.method)


class _Bucket(NamedTuple):
    step: int | None
    kind: str
    method: str


def _bucket(step: int, kind: str, method: str) -> _Bucket:
    return _Bucket(step if kind == REQUEST or method == methods.PROGRESS else None, kind, method)


def _said(said: Said) -> Any:
    return _clean(body(said.raw).get("params"))


def _clean(params: Any) -> Any:
    """Without what belongs to the conversation and not to its content."""
    if type(params) is not dict:
        return {}
    return {key: value for key, value in params.items() if key not in ("_meta", methods.PROGRESS_TOKEN)}


def _missing_or_extra(recorded: list[Any], replayed: list[Any]) -> Iterable[Difference]:
    for index in range(len(replayed), len(recorded)):
        yield Difference(Change.REMOVED, (index,), recorded[index])
    for index in range(len(recorded), len(replayed)):
        yield Difference(Change.ADDED, (index,), None, replayed[index])


# ---- answers


def _turned(step: Step, recorded: dict[str, Any], replayed: dict[str, Any]) -> Drift:
    before, now = came(recorded), came(replayed)
    kind = Kind.RESULT if now is Came.RESULT else Kind.ERROR
    message = f"{now} instead of {before}" + (f": {complaint(replayed)}" if now is not Came.RESULT else "")
    return Drift(kind, step, message, (), recorded, replayed)


def _against_schema(step: Step, schema: Any, answer: dict[str, Any]) -> Iterator[Drift]:
    result = answer.get("result")
    if type(result) is not dict or "structuredContent" not in result:
        yield Drift(Kind.SCHEMA, step, "no structuredContent, which the output schema describes", ("result",))
        return
    try:
        problems = Validator(schema).problems(result["structuredContent"])
    except SchemaError as error:
        yield Drift(Kind.SCHEMA, step, f"the recorded output schema cannot be used: {error}", ("result",))
        return
    for problem in problems:
        path: Path = ("result", "structuredContent", *(token for token in problem.pointer.split("/")[1:]))
        yield Drift(Kind.SCHEMA, step, f"does not fit the output schema: {shorten(problem.message)}", path)


def _differs(step: Step, one: Difference) -> Drift:
    if one.change is Change.ADDED:
        message = f"new: {shown(one.replayed)}"
    elif one.change is Change.REMOVED:
        message = f"gone: {shown(one.recorded)}"
    elif one.change is Change.ORDER:
        message = f"another order: {_from_to(one)}"
    else:
        message = _from_to(one)
    return Drift(_KINDS[one.change], step, message, one.path, one.recorded, one.replayed)


def _from_to(one: Difference) -> str:
    if one.change is Change.ADDED:
        return f"new: {shown(one.replayed)}"
    if one.change is Change.REMOVED:
        return f"gone: {shown(one.recorded)}"
    return f"{shown(one.recorded)} → {shown(one.replayed)}"


def _ms(nanoseconds: int) -> str:
    ms = nanoseconds / 1e6
    return f"{ms:.3g} ms" if ms < 1000 else f"{ms / 1000:.3g} s"


def learnt(run: Run, masks: MaskSet) -> list[tuple[Step, str]]:
    """Where two live answers to the same request differ although masked: (step, pointer) for each place."""
    first = {outcome.step.number: outcome for outcome in run.outcomes}
    found: list[tuple[Step, str]] = []
    for again in run.varied:
        step, before = again.step, first[again.step.number]
        if before.answer is None or again.answer is None:
            continue
        hidden = masks.of(step.turn.method, step.turn.name)
        one, other = comparable(step.turn, before.answer), comparable(step.turn, again.answer)
        found += [(step, difference.pointer) for difference in differences(one, other, hidden)]
    return found
