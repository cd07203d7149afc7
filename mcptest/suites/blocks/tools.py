"""Calls of tools: what they must answer, that bad requests are refused, and that no input breaks them.

A call without expectations must not fail: no JSON-RPC error, and no `isError`. An entry that has nothing but
`negative_path` or `fuzz` makes no call of its own; its `args` are the good arguments that the bad ones are made from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.policy import Refused
from mcptest.suites import asking
from mcptest.suites.blocks._adverse import FUZZ, PROBES, Fuzz, Probes
from mcptest.suites.entries import Context, common, entry
from mcptest.suites.nouns import Entry, Seen
from mcptest.suites.shapes import Anything, Field, Listing, Record, Text
from mcptest.suites.spots import Spot
from mcptest.suites.targets import Vocabulary
from mcptest.suites.world import World

VOCABULARY = Vocabulary((*asking.VOCABULARY.fixed, *PROBES.fixed, *FUZZ.fixed), asking.VOCABULARY.roots)
_OWN = ("result", "error", "duration_ms")


class ToolCall(NamedTuple):
    tool: str
    args: dict[str, Any] | None
    calls: bool
    probes: Probes | None = None
    fuzz: Fuzz | None = None

    async def run(self, entry: Entry, world: World) -> Seen:
        assert entry.server is not None
        seen = Seen()
        if self.calls:
            seen = await self._call(entry, world)
        for job in (self.probes, self.fuzz):
            if job is None or seen.nothing is not None:
                continue
            more = await job.run(self.tool, self.args, entry, world)
            seen = Seen(
                {**seen.values, **more.values},
                (*seen.details, *more.details),
                seen.exercised | more.exercised,
                more.nothing,
                more.refused,
            )
        return seen

    async def _call(self, entry: Entry, world: World) -> Seen:
        assert entry.server is not None
        params = {"name": self.tool} | ({} if self.args is None else {"arguments": self.args})
        try:
            async with world.gate(entry.server).call(await world.classified(entry.server, self.tool)):
                answer = await asking.ask(world, entry, "tools/call", params)
        except Refused as refused:
            return Seen(nothing=str(refused), refused=refused.reason)
        return Seen(asking.values(answer), (), frozenset({"call"}))


def shape(context: Context) -> Listing:
    fields = common(context, VOCABULARY)
    own = {
        "tool": Field(Text(), "The tool to call."),
        "call": Field(Text(), "Another word for `tool`."),
        "args": Field(Anything("object"), "The arguments of the call."),
        "negative_path": Field(Probes.shape(), "Bad requests that the server must refuse."),
        "fuzz": Field(Fuzz.shape(), "Calls with made-up arguments, none of which may break the server."),
    }
    order = {"name": fields.pop("name"), "server": fields.pop("server"), **own, **fields}
    either = {"oneOf": [{"required": ["tool"]}, {"required": ["call"]}]}
    return Listing(Record(order, lambda found, spot: _entry(context, found, spot), either))


def _entry(context: Context, found: dict[str, Any], spot: Spot) -> Entry:
    if ("tool" in found) == ("call" in found):
        raise spot.refuse(
            "'tool' is missing: which one is to be called?" if "tool" not in found else "either tool or call"
        )
    tool = found.get("tool") or found["call"]
    probes, fuzz = found.get("negative_path"), found.get("fuzz")
    written = found.get("expect", ())
    calls = any(one.target.steps[0] in _OWN for one in written) or (probes is None and fuzz is None)
    for one, job in (("negative_path", probes), ("fuzz", fuzz)):
        if job is None and any(wanted.target.steps[0] == one for wanted in written):
            raise spot.at("expect").refuse(f"a target of {one} needs a `{one}:` beside it")
    # Each part has its own expectations, else those of the entry that are about it, else its default.
    expect = list(written)
    if calls and not any(one.target.steps[0] in _OWN for one in written):
        expect += _placed([asking.NO_ERROR, asking.NO_TOOL_ERROR], spot)
    for job in (probes, fuzz):
        if job is not None:
            expect += job.expect or _placed(job.missing(written), spot)
    job = ToolCall(tool, found.get("args"), calls, probes, fuzz)
    return entry(context, spot, {**found, "expect": tuple(expect)}, job, (), tool)


def _placed(expect: Any, spot: Spot) -> list[Any]:
    line, column = spot.position
    return [one._replace(line=line, column=column) for one in expect]
