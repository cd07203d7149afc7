"""Where a server closed a connection before the response, and the stream had ids, the client comes back for it.

With a GET that has the last id. Judged at the end, where the client went on for a while, did not come back and did not
take the request back.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    History,
    HttpExchange,
    Inconclusive,
    Remarks,
    SseEvent,
    http_ends,
    http_requests,
    sessions,
    sse_events,
    warning,
)
from mcptest.compliance.rules.transport_http._heads import carries

ID = "TRANSPORT-HTTP-051"
ON = sessions
WATCH = (http_ends("POST"), http_requests(), sse_events())
_SOON = 5_000_000_000


class MEMORY:
    def __init__(self) -> None:
        self.left: dict[int, HttpExchange] = {}  # exchanges that were closed before their response
        self.ids: dict[str, int] = {}  # the exchange that an event id was given on
        self.came_back = 0
        self.last_mono = 0


def watch(subject: HttpExchange | SseEvent, context: Context) -> None:
    memory: MEMORY = context.memory
    if isinstance(subject, SseEvent):
        if subject.id and subject.http.verb == "POST" and len(memory.ids) < 100_000:
            memory.ids[subject.id] = subject.http.number
    elif subject.ended:
        closed = subject.by == SERVER and subject.how == "whole" and subject.streams and subject.last_id is not None
        if closed and carries(subject, "request") and not subject.answers and not subject.synthetic:
            memory.left[subject.number] = subject
    else:
        memory.last_mono = max(memory.last_mono, subject.mono)
        back = memory.ids.get(subject.last_event_id or "")
        if back in memory.left:
            memory.came_back += 1
            del memory.left[back]


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.left) or context.memory.came_back > 0


def check(history: History, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    open_ones = {id(one.request.http): one for one in history.in_flight(CLIENT)}
    for exchange in memory.left.values():
        waiting = open_ones.get(id(exchange))
        if waiting is None or waiting.cancelled is not None:
            continue
        context.rely_on_end()
        if memory.last_mono - (exchange.ended_mono or 0) < _SOON:
            raise Inconclusive("the session ended soon after")
        yield warning("The client did not come back for the response", of=exchange)
