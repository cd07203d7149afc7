"""Fuzz one tool: calls with arguments made from its input schema, and a close look at how each is answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mcptest.policy import Gate
from mcptest.probes.outcomes import FuzzReport
from mcptest.probes.visits import Visits


class FuzzSettings(NamedTuple):
    """`cases` are calls before shrinking; the same `seed` makes the same arguments. `timeout` is for each call."""

    cases: int = 100
    seed: int = 0
    timeout: float = 10.0


async def fuzz_tool(
    visits: Visits, tool: Mapping[str, Any], base: Mapping[str, Any] | None, settings: FuzzSettings, gate: Gate
) -> FuzzReport:
    """Only tools that may be called any number of times are fuzzed; of others the report says why not."""
    return FuzzReport(str(tool.get("name")), settings.seed, skipped="nothing was run")
