"""The adverse parts of a tool's entry: `negative_path`, probes that must be refused, and `fuzz`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mcptest.errors import TargetError
from mcptest.probes import CHECKS, FuzzSettings, Settings, fuzz_tool, known, probe_tool
from mcptest.suites.expecting import Expectation, equals, expectations
from mcptest.suites.nouns import Entry, Seen
from mcptest.suites.shapes import Field, Listing, Number, Record, Schema, Text
from mcptest.suites.showing import shown
from mcptest.suites.spots import Spot
from mcptest.suites.targets import Vocabulary
from mcptest.suites.world import World

PROBES = Vocabulary(("negative_path.checks_run", "negative_path.failures", "negative_path.gate_passed"))
FUZZ = Vocabulary(
    (
        "fuzz.cases_run",
        "fuzz.crashes",
        "fuzz.hangs",
        "fuzz.protocol_violations",
        "fuzz.leaks",
        "fuzz.gate_passed",
    )
)
_SECONDS = Number(0, above=True)


class _Switch:
    """A record all of whose keys may be left out: nothing at all, and `true`, stand for it too."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def read(self, spot: Spot) -> Any:
        if spot.value is None or spot.value is True:
            spot = spot._replace(value={})
        return self._record.read(spot)

    def schema(self) -> Schema:
        return {"anyOf": [self._record.schema(), {"enum": [None, True]}]}


class Probes(NamedTuple):
    checks: tuple[str, ...] | None
    settings: Settings
    expect: tuple[Expectation, ...] = ()

    @staticmethod
    def shape() -> _Switch:
        fields = {
            "checks": Field(Listing(Text(tuple(CHECKS))), "Which probes; without it, the five default ones."),
            "timeout": Field(_SECONDS, "Seconds for each request of a probe (10)."),
            "oversized": Field(Number(1, whole=True), "Characters of an oversized argument (1 MiB)."),
            "expect": Field(expectations(PROBES), "What must hold; without it, that every probe was refused."),
        }
        return _Switch(Record(fields, lambda found, _: Probes._made(found)))

    @staticmethod
    def _made(found: Mapping[str, Any]) -> Probes:
        given = {key: found[key] for key in ("timeout", "oversized") if key in found}
        return Probes(found.get("checks"), Settings(**given), found.get("expect", ()))

    def missing(self, written: Iterable[Expectation]) -> list[Expectation]:
        return _default("negative_path", written)

    async def run(self, tool: str, args: dict[str, Any] | None, entry: Entry, world: World) -> Seen:
        assert entry.server is not None
        definition = (await world.tools(entry.server)).get(tool)
        if definition is None:
            raise TargetError(f"the server lists no tool {tool!r} to probe")
        visits, gate, turn = world.probing(entry.server)
        async with turn:
            report = await probe_tool(visits, definition, args, known(self.checks), self.settings, gate)
        if not report.checks_run:
            refused = next((one.refused for one in report.results if one.refused is not None), None)
            why = "; ".join(dict.fromkeys(one.evidence for one in report.results)) or "no probe applies"
            return Seen(nothing=why, refused=refused)
        failed = [one for one in report.results if one.verdict.failed]
        details = [
            f"{one.check} ({one.taxonomy}): {one.verdict.value}: {one.evidence}{_with(one.arguments)}" for one in failed
        ]
        ran = frozenset(one.taxonomy for one in report.results if one.verdict.ran)
        return Seen({"negative_path": _tail(report.targets)}, tuple(details), ran)


class Fuzz(NamedTuple):
    settings: FuzzSettings
    expect: tuple[Expectation, ...] = ()

    @staticmethod
    def shape() -> _Switch:
        fields = {
            "cases": Field(Number(1, whole=True), "How many calls (100)."),
            "seed": Field(Number(0, whole=True), "The same seed makes the same arguments (0)."),
            "timeout": Field(_SECONDS, "Seconds for each call (5)."),
            "expect": Field(expectations(FUZZ), "What must hold; without it, that no call broke anything."),
        }
        return _Switch(Record(fields, lambda found, _: Fuzz._made(found)))

    @staticmethod
    def _made(found: Mapping[str, Any]) -> Fuzz:
        given = {key: found[key] for key in ("cases", "seed", "timeout") if key in found}
        return Fuzz(FuzzSettings(**given), found.get("expect", ()))

    def missing(self, written: Iterable[Expectation]) -> list[Expectation]:
        return _default("fuzz", written)

    async def run(self, tool: str, args: dict[str, Any] | None, entry: Entry, world: World) -> Seen:
        assert entry.server is not None
        definition = (await world.tools(entry.server)).get(tool)
        if definition is None:
            raise TargetError(f"the server lists no tool {tool!r} to fuzz")
        visits, gate, turn = world.probing(entry.server)
        async with turn:
            report = await fuzz_tool(visits, definition, args, self.settings, gate)
        if not report.cases_run:
            return Seen(nothing=report.skipped or "nothing was run", refused=report.refused)
        details = [f"{one.flaw.value}: {one.evidence}{_with(one.arguments)}" for one in report.failures]
        return Seen({"fuzz": _tail(report.targets)}, tuple(details), frozenset({"fuzz"}))


def _default(part: str, written: Iterable[Expectation]) -> list[Expectation]:
    own = any(one.target.steps[0] == part for one in written)
    return [] if own else [equals(f"{part}.gate_passed", 1)]


def _tail(targets: Mapping[str, Any]) -> dict[str, Any]:
    return {name.partition(".")[2]: value for name, value in targets.items()}


def _with(arguments: Any) -> str:
    return "" if arguments is None else f", with {shown(arguments)}"
