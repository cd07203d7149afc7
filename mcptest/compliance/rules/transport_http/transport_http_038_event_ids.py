"""An event's id is used once in a session, over all its streams.

What a resumed stream delivers again has the same id rightly, and an empty event may repeat the id that a client came
back with.
"""

from typing import NamedTuple

from mcptest.compliance.kit import Context, Inconclusive, Remarks, SseEvent, sse_events
from mcptest.compliance.rules.transport_http._streams import Streams

ID = "TRANSPORT-HTTP-038"
ON = sse_events()
_MOST = 100_000


class Given(NamedTuple):
    """Where an id was used: the digest of the event's data, the number of the exchange that began its stream, and
    whether its session had a name."""

    digest: int
    stream: int | None
    named: bool


class MEMORY(Streams):
    def __init__(self) -> None:
        super().__init__()
        self.given: dict[str, Given] = {}


def applies(event: SseEvent) -> bool:
    return bool(event.id) and not event.partial


def check(event: SseEvent, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    identity = event.id or ""
    begun_by = memory.begun_by(event.http)
    now = Given(hash(event.fields.data), begun_by.number if begun_by else None, event.http.session_id is not None)
    before = memory.given.get(identity)
    memory.note(event)
    if before is None:
        if len(memory.given) < _MOST:
            memory.given[identity] = now
        return
    resumed = event.http.verb == "GET" and bool(event.http.last_event_id)
    if resumed and (before.digest == now.digest or not event.fields.data):
        return
    if before.stream != now.stream and not before.named and not now.named:
        raise Inconclusive("the session has no name, so this may be of two clients")
    if before.digest != now.digest:
        yield f"The id {identity[:40]!r} is also that of an event with other data"
    elif before.stream != now.stream:
        yield f"The id {identity[:40]!r} is also that of an event on another stream"
