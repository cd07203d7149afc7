"""A stream begins with an event that has an id and no data, so that a client can come back.

A server that gives no ids at all, and so has nothing to come back to, is only told of it.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, SseEvent, http_ends, info, sse_events, warning

ID = "TRANSPORT-HTTP-039"
ON = http_ends("POST")._replace(noun="streams")
WATCH = sse_events()


class MEMORY:
    def __init__(self) -> None:
        self.ids = self.told = False


def watch(event: SseEvent, context: Context) -> None:
    context.memory.ids |= bool(event.id)


def applies(exchange: HttpExchange) -> bool:
    return exchange.streams and exchange.mcp and exchange.first_event is not None


def check(exchange: HttpExchange, context: Context) -> Remarks:
    first = exchange.first_event
    assert first is not None
    memory: MEMORY = context.memory
    if first.id and not first.fields.data:
        return
    if memory.ids:
        yield warning("The first event of the stream is no id with empty data")
    elif not memory.told:
        memory.told = True
        yield info("The server's streams begin without an id to come back to")
