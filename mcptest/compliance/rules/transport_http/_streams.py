"""Which stream an event belongs to, over all the connections that the stream was resumed on."""

from collections.abc import Iterator
from typing import Any

import orjson

from mcptest.compliance.kit import HttpExchange, SseEvent

_MOST = 10_000  # event ids that are remembered, the latest ones


class Streams:
    """A stream is known by the exchange that began it. `issued`: the stream that an event id was first given on."""

    def __init__(self) -> None:
        self.issued: dict[str, HttpExchange] = {}
        self.carried: dict[str, HttpExchange] = {}  # the exchange that an event id was last seen on

    def begun_by(self, exchange: HttpExchange) -> HttpExchange | None:
        """The exchange that began the stream; None if it goes on with one that was not captured."""
        if exchange.verb != "GET" or not exchange.last_event_id:
            return exchange
        return self.issued.get(exchange.last_event_id)

    def note(self, event: SseEvent) -> None:
        """Remember what the event says of its stream; call it after judging the event."""
        if not event.id:
            return
        begun_by = self.begun_by(event.http)
        if begun_by is not None:
            self.issued.setdefault(event.id, begun_by)
        self.carried[event.id] = event.http
        for known in (self.issued, self.carried):
            if len(known) > _MOST:
                del known[next(iter(known))]


def bodies(event: SseEvent) -> Iterator[dict[str, Any]]:
    """The messages of an event, also where they are delivered again."""
    if event.repeats is None:
        yield from (message.body for message in event.messages if message.body is not None)
        return
    try:
        value = orjson.loads(event.fields.data or b"")
    except orjson.JSONDecodeError:
        return
    yield from (one for one in (value if type(value) is list else [value]) if type(one) is dict)


def is_response(body: dict[str, Any]) -> bool:
    return "method" not in body and ("result" in body or "error" in body)
