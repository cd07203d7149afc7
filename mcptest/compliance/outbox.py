"""What was read, on its way to the rules: it waits here until it is known which revision it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcptest.compliance.http import HttpExchange, SseEvent
from mcptest.compliance.lines import Event, Line
from mcptest.compliance.revision import UNKNOWN, Settled
from mcptest.compliance.subjects import Exchange, Listing, Message

_MOST_WAITING = 100_000  # a session in which nobody ever names a revision has no need of more

# What happened, who did it, the method it is about, and the subject.
Emit = Callable[[str, str, "str | None", Any], None]


class Outbox:
    def __init__(self, deliver: Emit, settled: Settled) -> None:
        self._deliver, self._settled = deliver, settled
        self._waiting: list[tuple[str, str, str | None, Any]] = []

    def emit(self, event: str, sender: str, method: str | None, subject: Any) -> None:
        settled = self._settled.current
        if settled == UNKNOWN:
            if subject.revision == UNKNOWN and len(self._waiting) < _MOST_WAITING:
                self._waiting.append((event, sender, method, subject))
                return
        elif self._waiting:
            self.release()
        if subject.revision == UNKNOWN:
            _relabel(subject, settled)
        self._deliver(event, sender, method, subject)

    def release(self) -> None:
        """Somebody named a revision, or nobody ever will: what came before belongs to it too."""
        waiting, self._waiting = self._waiting, []
        for event, sender, method, subject in waiting:
            _relabel(subject, self._settled.current)
            self._deliver(event, sender, method, subject)


def _relabel(subject: Any, revision: str) -> None:
    """Exchanges and listings take their revision from their messages."""
    if isinstance(subject, Message | Line | Event | HttpExchange | SseEvent):
        if subject.revision == UNKNOWN:
            subject.revision = revision
    elif isinstance(subject, Exchange):
        for message in (subject.request, subject.place):
            _relabel(message, revision)
    elif isinstance(subject, Listing):
        _relabel(subject.pages[0], revision)
