"""What comes on the stream of a GET has nothing to do with requests that are being worked on.

Only progress tells what it belongs to: it should come on its request's own stream while that is open. What belongs to a
task may come on any stream.
"""

from mcptest.compliance.kit import Context, Remarks, SseEvent, sse_events
from mcptest.compliance.rules.transport_http._streams import Streams

ID = "TRANSPORT-HTTP-012"
ON = WATCH = sse_events()
MEMORY = Streams
_TASK = "io.modelcontextprotocol/related-task"


def watch(event: SseEvent, context: Context) -> None:
    context.memory.note(event)


def applies(event: SseEvent, context: Context) -> bool:
    begun_by = context.memory.begun_by(event.http)
    return begun_by is not None and begun_by.verb == "GET" and bool(event.messages)


def check(event: SseEvent) -> Remarks:
    for message in event.messages:
        about = message.about
        if message.method != "notifications/progress" or about is None or _TASK in message.meta:
            continue
        own = about.request.http
        if about.answer is None and own is not None and own.streams and not own.ended:
            yield f"Progress of the {about.method} request in frame {about.request.seq} comes beside its own stream"
