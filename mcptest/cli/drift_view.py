"""A replay for people: each request that drifted with what changed in it, then what came of all."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator

from mcptest.cli.terminal import escape, paint
from mcptest.replay import Drift, Kind, Outcome, Replayed, Status, counts, label, shown
from mcptest.wire.message import REQUEST

_LONGEST = 400  # characters of a value that is shown
_MOST_LINES = 40  # of one text's difference
_COLOURS = {"-": "red", "+": "green"}

Paint = Callable[[str, str], str]


def lines(replayed: Replayed, *, colour: bool) -> Iterator[str]:
    brush: Paint = paint if colour else lambda text, _: text
    for outcome in replayed.run.outcomes:
        found = [one for one in replayed.drift if one.step is outcome.step]
        if found:
            yield from _drifted(replayed, outcome, found, brush)
    for outcome in replayed.skipped:
        yield f"{brush('skipped', 'yellow')} {escape(label(outcome.step))}: {escape(outcome.reason or '')}"
    if replayed.run.stopped is not None:
        yield f"{brush('stopped', 'red')}: {escape(replayed.run.stopped)}"
    if replayed.recording.malformed:
        yield f"{replayed.recording.malformed} malformed messages of the recorded client were not sent"
    yield _summary(replayed)


def _drifted(replayed: Replayed, outcome: Outcome, found: list[Drift], brush: Paint) -> Iterator[str]:
    failing = any(counts(replayed, one) for one in found)
    yield f"{brush('drift' if failing else 'note', 'red' if failing else 'cyan')} {escape(label(outcome.step))}"
    for one in found:
        yield f"  {one.kind.value}  {escape(one.pointer or one.message)}"
        yield from (f"    {line}" for line in _details(one, brush))


def _details(one: Drift, brush: Paint) -> Iterator[str]:
    if one.pointer and (one.method is not None or one.kind is Kind.SCHEMA):
        yield escape(one.message)
        return
    if not one.pointer:
        return
    if isinstance(one.recorded, str) and isinstance(one.replayed, str) and "\n" in one.recorded + one.replayed:
        yield from _text_difference(one.recorded, one.replayed, brush)
        return
    if one.kind is not Kind.ADDED:
        yield brush(escape("- " + shown(one.recorded, _LONGEST)), "red")
    if one.kind is not Kind.REMOVED:
        yield brush(escape("+ " + shown(one.replayed, _LONGEST)), "green")


def _text_difference(recorded: str, replayed: str, brush: Paint) -> Iterator[str]:
    found = list(difflib.unified_diff(recorded.split("\n"), replayed.split("\n"), lineterm="", n=1))[2:]
    for line in found[:_MOST_LINES]:
        text = escape(line[:_LONGEST])
        yield brush(text, _COLOURS[line[0]]) if line[:1] in _COLOURS else text
    if len(found) > _MOST_LINES:
        yield f"… and {len(found) - _MOST_LINES} more lines"


def _summary(replayed: Replayed) -> str:
    asked = [outcome for outcome in replayed.run.outcomes if outcome.step.turn.kind == REQUEST]
    drifted = {one.step.number for one in replayed.drift if counts(replayed, one)}
    parts = [
        (sum(o.status is Status.RAN and o.step.number not in drifted for o in asked), "as recorded"),
        (len(drifted), "drifted"),
        (sum(o.status is Status.SKIPPED for o in asked), "skipped"),
        (sum(o.status is Status.UNANSWERED and o.step.number not in drifted for o in asked), "unanswered"),
        (sum(o.status is Status.NOT_RUN for o in asked), "not run"),
    ]
    counted = ", ".join(f"{number} {what}" for number, what in parts if number) or "nothing replayed"
    session = f"; this replay is session {replayed.run.session}" if replayed.run.session else ""
    return f"{len(asked)} requests: {counted}{session}"
