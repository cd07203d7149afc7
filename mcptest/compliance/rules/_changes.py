"""Lists that changed between two readings, and whether somebody said so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mcptest.compliance.kit import (
    CLIENT,
    RACE,
    SERVER,
    Context,
    History,
    Inconclusive,
    Listing,
    Message,
    On,
    identify,
    listings,
    notifications,
    same,
)
from mcptest.protocol import SUBSCRIPTION_ID

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_MOST = 100


class Kind(NamedTuple):
    """A kind of thing that is listed: the capability that it goes with, the method that lists it, the notification
    that announces a change, and how a client asks for that in the stateless era."""

    capability: str
    method: str
    changed: str
    wanted: str

    @property
    def watched(self) -> tuple[On, On]:
        return listings(self.method), notifications(self.changed, ACKNOWLEDGED).of(SERVER)


RESOURCES = Kind("resources", "resources/list", "notifications/resources/list_changed", "resourcesListChanged")
PROMPTS = Kind("prompts", "prompts/list", "notifications/prompts/list_changed", "promptsListChanged")


class Changes:
    """Pairs of whole lists, one after the other, that differ although the client was to be told. Only on stdio:
    elsewhere a list may depend on who asks, and there may be no way to tell the client."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._last: Listing | None = None
        self._told: list[int] = []
        self._listening: list[Message] = []
        self.owed: list[tuple[Listing, Listing]] = []

    def note(self, subject: Listing | Message, context: Context) -> None:
        if isinstance(subject, Listing):
            first, self._last = self._last, subject
            if first is not None and len(self.owed) < _MOST and self._is_owed(first, subject, context):
                self.owed.append((first, subject))
        elif subject.method == self._kind.changed:
            self._told = [*self._told[-999:], subject.mono]
        elif wants(subject).get(self._kind.wanted):
            self._listening = [*self._listening[-9:], subject]

    def _is_owed(self, first: Listing, second: Listing, context: Context) -> bool:
        declared = second.place.server_capabilities
        if context.history.transport != "stdio" or declared is None:
            return False
        if not declared.declares(self._kind.capability, "listChanged"):
            return False
        before, after = ({part.name: part.value for part in listing} for listing in (first, second))
        if same(before, after):
            return False
        return not second.pages[0].modern or any(
            acknowledged.seq < first.place.seq and still_listens(acknowledged, context.history)
            for acknowledged in self._listening
        )

    def unannounced(self, context: Context) -> Iterator[Message]:
        """The answers that began a changed list which nobody had announced; Inconclusive where that may still come."""
        for first, second in self.owed:
            start, end = first.pages[0].request.mono, second.pages[-1].place.mono + RACE
            if any(start <= told <= end for told in self._told):
                continue
            told_until(end, context)
            yield second.pages[0].place


def told_until(end: int, context: Context) -> None:
    """Inconclusive unless the session went on until then, with nothing lost."""
    context.rely_on_end()
    events = context.history.events
    if not events or events[-1].mono < end:
        raise Inconclusive("the session ended before the change could be announced")


def wants(message: Message) -> dict[str, object]:
    """What a client that listens asked to be told, or what the server acknowledged of it."""
    wanted = message.params.get("notifications")
    return wanted if type(wanted) is dict else {}


def still_listens(acknowledged: Message, history: History) -> bool:
    given = acknowledged.meta.get(SUBSCRIPTION_ID)
    path = ("params", "_meta", SUBSCRIPTION_ID)
    asked = history.by_id(acknowledged.conn, CLIENT, identify(given, acknowledged.raw, path))
    return asked is not None and asked.answer is None and asked.cancelled is None and not asked.dropped
