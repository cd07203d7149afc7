"""How often a run may still call: counters that hold under any concurrency."""

from __future__ import annotations

import threading

from mcptest.policy.refusals import BudgetExhausted


class CallBudget:
    """Exactly `limit` acquisitions succeed, from whatever threads or tasks they come; None is without end."""

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self._spent = 0
        self._lock = threading.Lock()

    @property
    def spent(self) -> int:
        return self._spent

    def acquire(self, tool: str = "") -> None:
        """Spend one call; BudgetExhausted when there is none left."""
        with self._lock:
            if self.limit is not None and self._spent >= self.limit:
                raise BudgetExhausted(tool, self.limit)
            self._spent += 1


class Once:
    """Names that were claimed; a second claim of one fails."""

    def __init__(self) -> None:
        self._claimed: set[str] = set()
        self._lock = threading.Lock()

    def claim(self, name: str) -> bool:
        with self._lock:
            if name in self._claimed:
                return False
            self._claimed.add(name)
            return True

    def release(self, name: str) -> None:
        """The claim came to nothing: no call was made under it."""
        with self._lock:
            self._claimed.discard(name)
