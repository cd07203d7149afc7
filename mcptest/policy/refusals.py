"""Why a call was not made. A refusal is a typed skip: the run goes on and reports it."""

from __future__ import annotations

import enum

from mcptest.errors import EXIT_REFUSED, McptestError


class Reason(enum.StrEnum):
    DESTRUCTIVE = "destructive"
    ONCE = "already called in this run"
    BUDGET = "call budget exhausted"


class Refused(McptestError):  # noqa: N818 -- a decision, not an error
    """The policy does not let this call through."""

    exit_code = EXIT_REFUSED

    def __init__(self, tool: str, reason: Reason, text: str) -> None:
        super().__init__(text)
        self.tool, self.reason = tool, reason


class BudgetExhausted(Refused):
    """All the calls that the run may make have been made; `limit` says how many that is."""

    def __init__(self, tool: str, limit: int) -> None:
        super().__init__(tool, Reason.BUDGET, f"the run's {limit} calls are spent: raise --max-calls to make more")
        self.limit = limit
