"""How well a model can use what the server lists: scores and counts of lint findings.

Without expectations no finding may be critical or an error (`critical_count` is 0); the findings on input schemas have
counts of their own, which fail nothing unless a suite says so.
"""

from __future__ import annotations

import json
from typing import Any

from mcptest import catalogue, config
from mcptest.analyzers import lint, load_rules, plan, score
from mcptest.findings import Severity
from mcptest.suites.entries import Context, common, entry
from mcptest.suites.expecting import equals
from mcptest.suites.nouns import Entry, Seen
from mcptest.suites.shapes import Listing, Record
from mcptest.suites.targets import Vocabulary
from mcptest.suites.world import World

COUNTS = ("critical_count", "warning_count", "schema_criticals", "schema_warnings")
VOCABULARY = Vocabulary(("min_score", "mean_score", *COUNTS), ("tool",))
_MOST = 10  # findings that are told


class Quality:
    async def run(self, entry: Entry, world: World) -> Seen:
        assert entry.server is not None
        tools = list((await world.tools(entry.server)).values())
        if not tools:
            return Seen(nothing="the server lists no tools")
        text = json.dumps({"tools": tools}, ensure_ascii=False)
        found = catalogue.read(text, f"tools of {entry.server}")
        verdicts = lint(found, load_rules(plan(config.load())))
        quality = score(found, verdicts)
        findings = sorted(
            (one for verdict in verdicts for one in verdict.findings if one.severity >= Severity.WARNING),
            key=lambda one: -one.severity,
        )
        details = [f"{one.rule} {one.severity.label}: {one.kind} {one.subject}: {one.message}" for one in findings]
        if len(details) > _MOST:
            details = [*details[:_MOST], f"and {len(details) - _MOST} findings more: see mcptest analyze"]
        return Seen(
            {
                "min_score": quality.min_score,
                "mean_score": quality.mean_score,
                **{name: getattr(quality, name) for name in COUNTS},
                "tool": {name: {"score": one} for name, one in quality.scores.items()},
            },
            tuple(details),
            frozenset({"lint"}),
        )


def shape(context: Context) -> Listing:
    fields = common(context, VOCABULARY)
    del fields["timeout"], fields["serial"]

    def make(found: dict[str, Any], spot: Any) -> Entry:
        default = (equals("critical_count", 0),)
        return entry(context, spot, found, Quality(), default, "tools are well described")

    return Listing(Record(fields, make), lone=True)
