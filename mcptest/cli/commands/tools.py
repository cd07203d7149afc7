"""List the tools that a session saw: the class of each, why, and what the safety policy would do with it.

The class follows from the tool's annotations or, where they say nothing, from its name. Read-only tools run freely,
mutating ones once in a run, destructive ones not at all unless --execute-destructive is given, and then once.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Annotated

import typer

from mcptest.capture import locate
from mcptest.capture.sandbox import NUMBER, Column
from mcptest.cli import output, tables
from mcptest.cli.commands.replay import RecordingArgument
from mcptest.cli.options import CaptureOption, FormatOption
from mcptest.cli.targets import DestructiveOption
from mcptest.cli.terminal import columns_of
from mcptest.policy import Context, Policy, classify


def run(
    recording: RecordingArgument,
    capture: CaptureOption = None,
    format: FormatOption = "table",
    execute_destructive: DestructiveOption = False,
    can_emit_test: Annotated[
        bool, typer.Option("--can-emit-test", help="Show what is done where a test can be written instead of a call.")
    ] = False,
) -> None:
    from mcptest.replay import find, listed, read

    played = read(find(recording, locate(capture)).frames())
    offered = listed(played, "tool")
    calls = Counter(turn.name for turn in played.turns if turn.method == "tools/call")
    policy = Policy(execute_destructive)
    context = Context.CAN_EMIT_TEST if can_emit_test else Context.NEEDS_LIVE_CALL
    rows = []
    for name in [*offered, *(name for name in calls if name is not None and name not in offered)]:
        found = classify(name, offered.get(name, {}).get("annotations"))
        reason = found.reason if name in offered else f"not listed; {found.reason}"
        rows.append([name, found.tool_class, policy.decide(found.tool_class, context), reason, str(calls[name])])
    columns = [*map(Column, ("tool", "class", "decision", "why")), Column("calls", NUMBER)]
    with output.stdout() as sink:
        tables.WRITERS[format](columns, rows, sink, columns_of(sys.stdout) if format == "table" else None)
