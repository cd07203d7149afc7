"""Recordings that are played to the server again; without expectations nothing may have drifted.

The recorded calls pass the safety policy like all others: mutating tools are called as often as the recording did,
destructive ones only with --execute-destructive.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.capture import sources
from mcptest.errors import CaptureError, TargetError, UsageError
from mcptest.policy import Policy, Refused
from mcptest.replay import Compare, Judging, Manner, Mask, MaskSet, counts, find, label, masks, read, regress
from mcptest.replay import Status as Step
from mcptest.suites.entries import Context, common, entry
from mcptest.suites.expecting import equals
from mcptest.suites.nouns import Entry, Seen
from mcptest.suites.shapes import Field, Listing, Number, Record, Schema, Text
from mcptest.suites.spots import Spot
from mcptest.suites.targets import Vocabulary
from mcptest.suites.world import World

VOCABULARY = Vocabulary(("drift", "skipped", "replayed"))
_MOST = 20  # drifts that are told


class _Mask:
    """`/result/at`, `search:/result/at`, or a mapping with pointer or pattern, tool, method and reason."""

    def read(self, spot: Spot) -> Mask:
        try:
            return masks.from_table(spot.value, "masks")
        except UsageError as error:
            raise spot.refuse(str(error).partition(": ")[2]) from None

    def schema(self) -> Schema:
        fields = {name: {"type": "string"} for name in Mask._fields}
        return {"anyOf": [{"type": "string"}, {"type": "object", "properties": fields, "additionalProperties": False}]}


class _Recording:
    """A file beside the suite, or a session of the capture."""

    def __init__(self, context: Context) -> None:
        self._folder = context.folder

    def read(self, spot: Spot) -> str:
        name: str = Text().read(spot)
        path = self._folder / name
        if path.is_file() or not sources.names_file(name):
            return str(path) if path.is_file() else name
        raise spot.refuse(f"there is no file {path}")

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1}


class Replaying(NamedTuple):
    recording: str
    judging: Judging

    async def run(self, entry: Entry, world: World) -> Seen:
        assert entry.server is not None
        from mcptest.capture import locate

        place = world.place or locate(None)
        try:
            source = find(self.recording, place)
            played = read(source.frames())
        except CaptureError as error:
            raise UsageError(str(error)) from error
        if not played.turns:
            return Seen(nothing=f"{source.name} holds no message of a client")
        replayed = await regress(
            played,
            world.target(entry.server),
            policy=_policy(world),
            manner=Manner(timeout=world.timeout(entry.server, entry.timeout)),
            judging=self.judging,
            place=world.place,
            name=f"replay of {played.facts.name or played.session or source.name}",
            replay_of=played.session or source.name,
            complain=world.setting.complain,
        )
        world.add_session(entry.server, replayed.run.session)
        ran = [one for one in replayed.run.outcomes if one.status is Step.RAN]
        _spend(world, sum(one.step.turn.method == "tools/call" for one in ran))
        if replayed.run.stopped is not None:
            raise TargetError(f"the replay ended early: {replayed.run.stopped}")
        if replayed.refused_everything:
            first = next(one for one in replayed.run.outcomes if one.refused)
            return Seen(nothing=first.reason or "refused", refused=first.refused)
        drift = [one for one in replayed.drift if counts(replayed, one)]
        details = [f"{label(one.step)} {one.kind.value} {one.pointer} {one.message}" for one in drift[:_MOST]]
        details += [f"and {len(drift) - _MOST} more"] if len(drift) > _MOST else []
        values = {"drift": len(drift), "skipped": len(replayed.skipped), "replayed": len(ran)}
        return Seen(values, tuple(details), frozenset({"replay"}))


def _spend(world: World, calls: int) -> None:
    try:
        for _ in range(calls):
            world.budget.acquire()
    except Refused:
        pass  # others spent it meanwhile: what was called is called


def _policy(world: World) -> Policy:
    """What is left of the run's budget, for a player that keeps its own."""
    policy = world.setting.policy._replace(repeat_mutating=True)
    if policy.max_calls is None:
        return policy
    return policy._replace(max_calls=max(0, policy.max_calls - world.budget.spent))


def shape(context: Context) -> Listing:
    fields = common(context, VOCABULARY)
    order = {
        "name": fields.pop("name"),
        "server": fields.pop("server"),
        "capture": Field(_Recording(context), "The recording: a file beside the suite, or a session.", needed=True),
        "compare": Field(Text(tuple(Compare)), "How closely answers are compared (exact)."),
        "masks": Field(Listing(_Mask()), "What may differ: /result/at, or search:/result/at for one tool."),
        "no_masks": Field(Listing(Text(masks.ALL)), "Built-in masks to turn off."),
        "max_slowdown": Field(Number(1), "Answers that take longer than so many times are drift."),
        **fields,
    }
    return Listing(Record(order, lambda found, spot: _entry(context, found, spot)), lone=True)


def _entry(context: Context, found: dict[str, Any], spot: Spot) -> Entry:
    kinds = tuple(kind for kind in masks.ALL if kind not in found.get("no_masks", ()))
    judging = Judging(MaskSet(tuple(found.get("masks", ())), kinds), Compare(found.get("compare", "exact")))
    if "max_slowdown" in found:
        judging = judging._replace(slower=found["max_slowdown"], gate_latency=True)
    job = Replaying(found["capture"], judging)
    name = f"{spot.value['capture']} is answered as recorded"
    made = entry(context, spot, found, job, (equals("drift", 0),), name)
    return made._replace(serial=found.get("serial", True))
