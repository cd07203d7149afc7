"""Who subscribed to which resource: by a request of its own, and since 2026-07-28 by listening."""

from __future__ import annotations

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Message, later, notifications, requests
from mcptest.compliance.rules._changes import wants
from mcptest.compliance.rules._uris import covered, key

UPDATED = notifications("notifications/resources/updated").of(SERVER)
SUBSCRIBING = requests("resources/subscribe", "subscriptions/listen").of(CLIENT)
_MOST_LISTENING = 256


class Subscribed:
    """`keys` are all URIs ever subscribed to by request, `listening` the requests that listen for resources."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.listening: list[Message] = []

    def note(self, request: Message) -> None:
        uri = request.params.get("uri")
        if request.method == "resources/subscribe":
            if type(uri) is str:
                self.keys.add(key(uri))
        elif type(wants(request).get("resourceSubscriptions")) is list:
            self.listening = [*self.listening[1 - _MOST_LISTENING :], request]

    def listeners(self, message: Message, context: Context) -> list[Message]:
        """Those that listened for resources when this was sent, or had stopped only just before."""
        return [request for request in self.listening if _listens(request, message, context)]


def _listens(request: Message, message: Message, context: Context) -> bool:
    assert request.id is not None
    asked: Exchange | None = context.history.by_id(request.conn, CLIENT, request.id)
    if asked is None or asked.request is not request:
        return False
    ended = asked.answer or asked.cancelled
    return ended is None or not later(ended, message)


def listened_for(listeners: list[Message], uri: str) -> bool:
    wanted: set[str] = set()
    for request in listeners:
        uris = wants(request)["resourceSubscriptions"]
        assert type(uris) is list
        wanted.update(key(one) for one in uris if type(one) is str)
    return covered(uri, wanted)
