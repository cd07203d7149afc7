"""An event's id is used once in a session, over all its streams.

What a resumed stream delivers again has the same id rightly, and an empty event may repeat the id that a client came
back with.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, SseEvent, sse_events
from mcptest.compliance.rules.transport_http._streams import Streams

ID = "TRANSPORT-HTTP-038"
ON = sse_events()
_MOST = 100_000


class MEMORY(Streams):
    def __init__(self) -> None:
        super().__init__()
        self.data: dict[str, tuple[int, HttpExchange | None]] = {}  # of an event: its digest, and its stream


def applies(event: SseEvent) -> bool:
    return bool(event.id) and not event.partial


def check(event: SseEvent, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    stream, digest, identity = memory.begun_by(event.http), hash(event.fields.data), event.id or ""
    before = memory.data.get(identity)
    memory.note(event)
    if before is None:
        if len(memory.data) < _MOST:
            memory.data[identity] = digest, stream
        return
    resumed = event.http.verb == "GET" and bool(event.http.last_event_id)
    if resumed and (before[0] == digest or not event.fields.data):
        return
    if before[0] != digest:
        yield f"The id {identity[:40]!r} is also that of an event with other data"
    elif before[1] is not stream:
        yield f"The id {identity[:40]!r} is also that of an event on another stream"
