"""The first event of a stream says where to send messages.

An `endpoint` event whose data is an address. Comments do not count; another event before it is warned about. A stream
without one breaks the rule if it was there to its end, and on an address that has announced one before.
"""

from mcptest.compliance.kit import (
    Context,
    HttpExchange,
    Remarks,
    SseEvent,
    http_ends,
    sse_events,
    warning,
)
from mcptest.compliance.rules.transport_sse._endpoints import resolve

ID = "TRANSPORT-SSE-001"
ON = http_ends("GET")._replace(noun="streams")
WATCH = sse_events("endpoint")


class MEMORY:
    def __init__(self) -> None:
        self.named: dict[int, SseEvent] = {}  # the first such event, by the number of the exchange
        self.paths: set[str] = set()


def watch(event: SseEvent, context: Context) -> None:
    context.memory.named.setdefault(event.http.number, event)
    context.memory.paths.add(event.http.path)


def applies(exchange: HttpExchange, context: Context) -> bool:
    return exchange.streams and exchange.path in context.memory.paths


def check(exchange: HttpExchange, context: Context) -> Remarks:
    event = context.memory.named.pop(exchange.number, None)
    if event is None:
        if exchange.events and exchange.ended:
            yield "The stream has no endpoint event"
        return
    if resolve(event) is None:
        yield f"The endpoint is {(event.fields.data or b'')[:80]!r}, which is no address"
    if exchange.first_event is not event:
        yield warning("Another event comes before the endpoint")
