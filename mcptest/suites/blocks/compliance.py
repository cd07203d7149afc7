"""What the specification demands, judged from recordings that the block names or, without any, from all that was said
to the server in this run, after it was asked for everything that it offers.

The block is read where `mcptest compliance run --from-suite` reads it. Its gates are tests of their own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from mcptest.errors import UsageError
from mcptest.suites.entries import Context, ServerName, only_server
from mcptest.suites.expecting import Expectation, equals
from mcptest.suites.nouns import Entry, Seen
from mcptest.suites.shapes import Schema
from mcptest.suites.spots import Spot, taken_over
from mcptest.suites.world import World

if TYPE_CHECKING:
    from mcptest.compliance import Book, Outcome, Suite

BLOCK = "compliance"
RULES, VERSION, GRADE = "rules hold", "spec_version_check", "grade_delta"
_MOST = 20  # findings that are told


@cache
def _book() -> Book:
    from mcptest.compliance import Book

    return Book.load()


class Judgement(NamedTuple):
    """One of the three parts of the block; what was judged once serves all of them."""

    block: Suite
    part: str
    judged: list[tuple[Outcome, ...]]

    async def run(self, entry: Entry, world: World) -> Seen:
        if self.part == VERSION:
            return _gate(self.block.gates()[0].passed, self.block.gates()[0].text)
        if not self.judged:
            self.judged.append(await _judged(self.block, entry, world))
        outcomes = self.judged[0]
        if not outcomes:
            return Seen(nothing="nothing was recorded of the server")
        if self.part == GRADE:
            from mcptest.compliance import grade_sessions

            gate = self.block.gates(grade_sessions(outcomes, self.block.book.corpora))[-1]
            return _gate(gate.passed, gate.text)
        return _rules(outcomes, self.block)


def _gate(passed: bool, text: str) -> Seen:
    return Seen({"gate_passed": int(passed)}, (text,), frozenset({"compliance"}))


def _rules(outcomes: tuple[Outcome, ...], block: Suite) -> Seen:
    from mcptest.compliance import grade_sessions, report

    told = report(outcomes)
    failing = [one for one in told.findings if one.severity >= told.fail_on]
    details = [f"{one.rule} {one.severity.label}: {one.kind} {one.subject}: {one.message}" for one in failing[:_MOST]]
    details += [f"and {len(failing) - _MOST} more"] if len(failing) > _MOST else []
    crashed = [verdict.rule for verdict in told.verdicts if verdict.status == "crashed"]
    details += [f"{rule} crashed, which is a fault of mcptest" for rule in crashed]
    card = grade_sessions(outcomes, block.book.corpora)
    values = {"failed": len({one.rule for one in failing}) + len(crashed), "grade": card.grade, "score": card.score}
    return Seen(values, (*details, card.line), frozenset({"compliance"}))


async def _judged(block: Suite, entry: Entry, world: World) -> tuple[Outcome, ...]:
    from mcptest.capture import locate, sources
    from mcptest.compliance import comply
    from mcptest.live import Keeping, Manner, exercise
    from mcptest.replay import find

    place = world.place or locate(None)
    names = [source for name in block.recordings for source in sources.find(name, place)]
    if not block.recordings:
        live = block.server
        target = live.target if live is not None else world.target(entry.server or "")
        timeout = live.timeout if live is not None else world.timeout(entry.server or "", None)
        keeping = Keeping(place, f"{world.suite.path.stem} {entry.server or BLOCK}", complain=world.setting.complain)
        keeping = keeping._replace(about={"replay_of": f"suite {world.suite.path.name}"})
        done = await exercise(target, Manner(block.pin, timeout=timeout), keeping=keeping)
        if done.revision is None:
            raise UsageError(f"{entry.server or 'the server'} could not be exercised: {done.lost}")
        own = () if live is not None else world.sessions().get(entry.server or "", ())
        names = [find(one, place) for one in (*own, done.session) if one is not None]
    return tuple(
        comply(source.frames(), block.book, spec=block.pin, select=block.select, source=source.name) for source in names
    )


class _Shape:
    def __init__(self, context: Context) -> None:
        self._context = context

    def read(self, spot: Spot) -> tuple[Entry, ...]:
        from mcptest.compliance import read_suite

        context = self._context
        block, name = _without_server(spot, context)
        content = {BLOCK: block} | {key: value for key, value in context.document.value.items() if key == "capture"}
        try:
            found = read_suite(context.document._replace(value=content), context.folder, _book())
        except UsageError as error:
            raise taken_over(error, spot) from None
        if not found.recordings and found.server is None and not found.is_only_a_gate:
            name = name or only_server(context, spot)
        judged: list[tuple[Outcome, ...]] = []
        parts: list[tuple[str, Expectation]] = []
        parts += [] if found.is_only_a_gate else [(RULES, equals("failed", 0))]
        parts += [(VERSION, equals("gate_passed", 1))] if found.check is not None else []
        parts += [(GRADE, equals("gate_passed", 1))] if found.grade is not None else []
        line, column = spot.position
        return tuple(
            Entry(
                BLOCK,
                part,
                line,
                column,
                None if part == VERSION else name,
                Judgement(found, part, judged),
                (expect._replace(line=line, column=column),),
                late=True,
            )
            for part, expect in parts
        )

    def schema(self) -> Schema:
        gate = {"type": ["object", "null"], "properties": {"against": {"type": "string"}, "expect": {"type": "array"}}}
        test = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "expect": {}}}
        tests = {"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "string"}, test]}}
        captures = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
        properties = {
            "spec_version": {"type": "string", "description": "The revision to judge by, e.g. v2025-11-25."},
            "capture": {**captures, "description": "Recordings to judge in place of this run's traffic."},
            "server": {"type": ["string", "object"], "description": "A server of this suite, or one of its own."},
            "tests": {**tests, "description": "Rules (TOOLS-010) and families (TOOLS); without it, all."},
            VERSION: {**gate, "description": "Fails where a move to another revision would change rules."},
            GRADE: {**gate, "description": "Fails where the grade is worse than in a saved scorecard."},
        }
        return {"anyOf": [{"type": "object", "properties": properties, "additionalProperties": False}, tests]}


def _without_server(spot: Spot, context: Context) -> tuple[Any, str | None]:
    """The block, and the server of the suite that it names. What is more than a word is a server of its own."""
    given = spot.value.get("server") if isinstance(spot.value, dict) else None
    if not isinstance(given, str) or not re.fullmatch(r"[^\s/]+", given):
        return spot.value, None
    name = ServerName(context).read(spot.at("server"))
    return {key: value for key, value in spot.value.items() if key != "server"}, name


def shape(context: Context) -> _Shape:
    return _Shape(context)
