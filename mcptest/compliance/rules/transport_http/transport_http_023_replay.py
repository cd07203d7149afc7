"""A stream is resumed by a GET, and what it replays is its own.

What belongs to another stream shows by the id of an event that was given out there, by the id of a response whose
request has its own stream, and by the token of progress. Where it is not captured which stream is resumed, nothing is
judged. A client that tries to resume with a POST is warned about.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    HttpExchange,
    Message,
    Remarks,
    SseEvent,
    http_requests,
    remark,
    sse_events,
    warning,
)
from mcptest.compliance.rules.transport_http._streams import Streams

ID = "TRANSPORT-HTTP-023"
ON = (sse_events()._replace(noun="events"), http_requests("POST"))
WATCH = sse_events()
MEMORY = Streams


def watch(event: SseEvent, context: Context) -> None:
    context.memory.note(event)


def applies(subject: SseEvent | HttpExchange, context: Context) -> bool:
    if isinstance(subject, HttpExchange):
        return subject.mcp and subject.last_event_id is not None
    resumed = subject.http.verb == "GET" and bool(subject.http.last_event_id)
    return resumed and subject.fields.data is not None and context.memory.begun_by(subject.http) is not None


def check(subject: SseEvent | HttpExchange, context: Context) -> Remarks:
    if isinstance(subject, HttpExchange):
        yield warning("The client tries to resume a stream with POST", by=CLIENT)
        return
    memory: Streams = context.memory
    own = memory.begun_by(subject.http)
    assert own is not None
    given_on = memory.issued.get(subject.id or "")
    if given_on is not None and given_on is not own:
        yield remark(f"The event {str(subject.id)[:40]!r} was given out on another stream", by=SERVER)
        return
    for message in subject.messages:
        home = _home(message)
        if home is not None and own.verb == "POST" and home is not own:
            what = "A response" if message.kind == "response" else "Progress"
            yield remark(f"{what} of another stream's request is replayed", by=SERVER)


def _home(message: Message) -> HttpExchange | None:
    """The exchange whose stream a message belongs on, where that can be told."""
    about = message.answers if message.kind == "response" else message.about
    if about is None or (message.kind != "response" and message.method != "notifications/progress"):
        return None
    return about.request.http
