"""What may be done with a tool of some class: pure, and the only place that says so."""

from __future__ import annotations

import enum
from typing import NamedTuple

from mcptest.policy.classes import ToolClass

REVIEW_MARKER = "# review before first run"  # how a generated test of a destructive tool begins


class Decision(enum.StrEnum):
    """Execute: as often as needed. ExecuteOnce: at most once in a run. GenerateOnly: write a test, call nothing.
    Refuse: do not call."""

    EXECUTE = "Execute"
    EXECUTE_ONCE = "ExecuteOnce"
    GENERATE_ONLY = "GenerateOnly"
    REFUSE = "Refuse"


class Context(enum.StrEnum):
    """Whether the caller could also write a test down instead of calling, or has no use for anything but a call."""

    CAN_EMIT_TEST = "can emit a test"
    NEEDS_LIVE_CALL = "needs a live call"


class Policy(NamedTuple):
    """The knobs. `max_calls` None: unlimited. `call_delay` is in seconds, between consecutive HTTP calls.
    `repeat_mutating` lets a caller that plays a recording call a mutating tool as often as the recording did; it never
    applies to destructive tools."""

    execute_destructive: bool = False
    max_calls: int | None = None
    concurrency: int = 2
    call_delay: float = 0.1
    repeat_mutating: bool = False

    def decide(self, tool_class: ToolClass, context: Context = Context.NEEDS_LIVE_CALL) -> Decision:
        if tool_class is ToolClass.DESTRUCTIVE and not self.execute_destructive:
            return Decision.GENERATE_ONLY if context is Context.CAN_EMIT_TEST else Decision.REFUSE
        if tool_class in (ToolClass.DESTRUCTIVE, ToolClass.MUTATING):
            return Decision.EXECUTE_ONCE
        return Decision.EXECUTE
