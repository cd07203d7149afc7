"""Levels of log messages, and which of a client's requests asked for which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptest.compliance.kit import CLIENT, SERVER, Context, Message, later, notifications, requests
from mcptest.protocol import LOG_LEVEL

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
LOGS = notifications("notifications/message").of(SERVER)._replace(noun="log messages")
ASKING = requests().of(CLIENT)
_MOST = 100


def is_level(value: Any) -> bool:
    return type(value) is str and value in LEVELS


def rank(value: Any) -> int:
    """How grave a level is; one that nobody knows may be anything, so it asks for all."""
    return LEVELS.index(value) if is_level(value) else 0


def in_flight(context: Context) -> tuple[list[Message], list[Message]]:
    """The client's open requests that ask for log messages, and those that do not. Who only listens is left out."""
    asking: list[Message] = []
    others: list[Message] = []
    for exchange in context.history.in_flight(CLIENT):
        if LOG_LEVEL in exchange.request.meta:
            asking.append(exchange.request)
        elif exchange.method != "subscriptions/listen":
            others.append(exchange.request)
    return asking, others


class Suspects:
    """Log messages that no request in flight asked for. A recorder's two directions race, so a request that stands a
    little behind the message may be the one; what is left at the end was not asked for.

    `last` is the client's newest request; before the first, nobody can know which era it will be. `ever`: some
    request asked for log messages.
    """

    def __init__(self, by_level: bool = False) -> None:
        self._by_level = by_level
        self.last: Message | None = None
        self.ever = False
        self.found: list[Message] = []

    def suspect(self, message: Message) -> None:
        if len(self.found) < _MOST:
            self.found.append(message)

    def note(self, request: Message) -> None:
        """A request of the client: it may clear what came just before it."""
        self.last = request
        if LOG_LEVEL in request.meta:
            self.ever = True
            if not self.found:
                return
            wanted = rank(request.meta[LOG_LEVEL]) if self._by_level else 0
            self.found = [one for one in self.found if later(one, request) or rank(one.params.get("level")) < wanted]

    def left(self, context: Context) -> Iterator[Message]:
        """At the end: those that no request can clear any more. Inconclusive where one may not have been captured."""
        context.rely_on_past()
        for message in self.found:
            if self.last is None or not later(message, self.last):
                context.rely_on_end()
            yield message
