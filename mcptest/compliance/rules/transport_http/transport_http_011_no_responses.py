"""A stream that a GET has opened carries no responses.

Unless it goes on with the stream of a request, by the id of an event from there. Where that id was given out before the
capture began, this remains open.
"""

from mcptest.compliance.kit import Context, Inconclusive, Remarks, SseEvent, sse_events
from mcptest.compliance.rules.transport_http._streams import Streams, bodies, is_response

ID = "TRANSPORT-HTTP-011"
ON = WATCH = sse_events()
MEMORY = Streams


def watch(event: SseEvent, context: Context) -> None:
    context.memory.note(event)


def applies(event: SseEvent) -> bool:
    return event.http.verb == "GET" and event.fields.data is not None


def check(event: SseEvent, context: Context) -> Remarks:
    if not any(map(is_response, bodies(event))):
        return
    begun_by = context.memory.begun_by(event.http)
    if begun_by is None:
        raise Inconclusive("the event that the stream was resumed after is not in the capture")
    if begun_by.verb == "GET":
        yield "A response comes on a stream that belongs to no request"
