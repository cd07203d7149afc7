"""Messages are sent to the address that the server gave.

Judged are messages that were not refused: a client may try a newer transport first. Where the event that named the
address is not in the capture, this remains open.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, SseEvent, http_ends, sse_events
from mcptest.compliance.rules.transport_sse._endpoints import Endpoints

ID = "TRANSPORT-SSE-002"
ON = http_ends("POST")._replace(noun="POSTs")
WATCH = sse_events("endpoint")
MEMORY = Endpoints


def watch(event: SseEvent, context: Context) -> None:
    context.memory.note(event)


def applies(exchange: HttpExchange) -> bool:
    return bool(exchange.sent) and exchange.ok and not exchange.synthetic


def check(exchange: HttpExchange, context: Context) -> Remarks:
    if context.memory.announced(exchange) is None:
        context.rely_on_past()
        yield f"A message goes to {exchange.path[:80]}, which the server has not named"
