"""The address that a server gave takes POSTs, while the stream that gave it is open."""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, SseEvent, http_responses, sse_events
from mcptest.compliance.rules.transport_sse._endpoints import Endpoints

ID = "TRANSPORT-SSE-004"
ON = http_responses("POST")._replace(noun="POSTs")
WATCH = sse_events("endpoint")
MEMORY = Endpoints


def watch(event: SseEvent, context: Context) -> None:
    context.memory.note(event)


def applies(exchange: HttpExchange, context: Context) -> bool:
    stream = context.memory.announced(exchange)
    return stream is not None and not stream.ended and bool(exchange.sent)


def check(exchange: HttpExchange) -> Remarks:
    if exchange.status in (404, 405, 501):
        yield f"A POST to the address that the server gave is answered with {exchange.status}"
