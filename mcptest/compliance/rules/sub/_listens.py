"""Who listens for what, since when and until when."""

from __future__ import annotations

from typing import Any

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Id,
    Message,
    answers,
    identify,
    later,
    notifications,
    requests,
)
from mcptest.protocol import SUBSCRIPTION_ID
from mcptest.protocol.methods import CANCELLED, LISTEN

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"
TASKS = "notifications/tasks"
# What a listening client asks for, by the notification that tells it.
FLAGS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}
CHANGES = notifications(*FLAGS, UPDATED).of(SERVER)._replace(noun="notifications of changes")
TOLD = notifications(*FLAGS, UPDATED, ACKNOWLEDGED, TASKS).of(SERVER)._replace(noun="notifications to listeners")
_MOST = 16
_MOST_IDS = 4096


class Listen:
    """One request to listen. `first` is the first message that named it, `acknowledged` the acknowledgement, `ended`
    what ended it: its answer, or the cancellation of either side."""

    __slots__ = ("acknowledged", "ended", "first", "request")

    def __init__(self, request: Message) -> None:
        self.request = request
        self.first: Message | None = None
        self.acknowledged: Message | None = None
        self.ended: Message | None = None

    @property
    def wanted(self) -> dict[str, Any]:
        return wants(self.request)

    @property
    def granted(self) -> dict[str, Any] | None:
        """What the server acknowledged; None: it did not yet."""
        return None if self.acknowledged is None else wants(self.acknowledged)

    def open_at(self, message: Message) -> bool:
        """Did the client listen when this was sent, or had it stopped only just before?"""
        return self.ended is None or not later(self.ended, message)


class Listens:
    def __init__(self) -> None:
        self._by_id: dict[Id, list[Listen]] = {}
        self._open: dict[int, Listen] = {}  # by the frame of the request
        self._last_end: Message | None = None

    def note(self, subject: Message | Exchange) -> None:
        if isinstance(subject, Exchange):
            self._end(subject.request, subject.place)
        elif subject.method == LISTEN:
            self._begin(subject)
        elif subject.method == CANCELLED:
            if subject.about is not None and subject.about.method == LISTEN:
                self._end(subject.about.request, subject)
        else:
            self._told(subject)

    def _begin(self, request: Message) -> None:
        assert request.id is not None
        known = self._by_id.pop(request.id, [])
        self._open[request.seq] = listen = Listen(request)
        self._by_id[request.id] = [*known[1 - _MOST :], listen]
        if len(self._by_id) > _MOST_IDS:
            del self._by_id[next(iter(self._by_id))]

    def _end(self, request: Message, end: Message) -> None:
        for listen in self._by_id.get(request.id, []) if request.id is not None else ():
            if listen.request is request:
                listen.ended = listen.ended or end
                self._last_end = end
        self._open.pop(request.seq, None)

    def _told(self, message: Message) -> None:
        for listen in self.named_by(message):
            if listen.open_at(message):
                listen.first = listen.first or message
                if message.method == ACKNOWLEDGED:
                    listen.acknowledged = listen.acknowledged or message

    def of(self, request: Message) -> Listen | None:
        found = self._by_id.get(request.id, []) if request.id is not None else []
        return next((listen for listen in found if listen.request is request), None)

    def named_by(self, message: Message) -> list[Listen]:
        """The requests that had the id which a notification names."""
        identity = subscription(message)
        return [] if identity is None else self._by_id.get(identity, [])

    def still_open(self) -> list[Listen]:
        return list(self._open.values())

    def anybody(self, message: Message) -> bool:
        """Did anybody listen when this was sent, or had stopped only just before?"""
        return bool(self._open) or (self._last_end is not None and not later(self._last_end, message))


MEMORY = Listens
WATCH = (
    requests(LISTEN).of(CLIENT),
    answers(LISTEN).of(SERVER),
    notifications(CANCELLED),
    TOLD,
)


def watch(subject: Message | Exchange, context: Context) -> None:
    context.memory.note(subject)


def wants(message: Message) -> dict[str, Any]:
    """What a client asks to be told, or what the server acknowledges of it."""
    found = message.params.get("notifications")
    return found if type(found) is dict else {}


def subscription(message: Message) -> Id | None:
    """The request to listen that a notification says it belongs to."""
    value = message.meta.get(SUBSCRIPTION_ID)
    if type(value) not in (str, int, float):
        return None
    return identify(value, message.raw, ("params", "_meta", SUBSCRIPTION_ID))


def without_handshake(message: Message) -> bool:
    """Where there was a handshake, a server may go on telling what it always told."""
    return message.modern and message.known.negotiated is None


def stream_of(message: Message) -> Message | None:
    """Over HTTP: the request in whose response a notification came. None on stdio, and where that is not known."""
    sent = message.http.sent if message.http is not None else ()
    return sent[0] if len(sent) == 1 and sent[0].kind == "request" else None
