"""A server of the stateless era alone pays no heed to `Mcp-Session-Id` and `Last-Event-ID`.

That it knows no older era shows when it refused an `initialize`. Judged are requests whose other headers are right;
that they are refused for one of these shows where the refusal names the session or the event.
"""

from mcptest.compliance.kit import Context, Exchange, HttpExchange, Inconclusive, Remarks, http_ends, refusals
from mcptest.compliance.rules.transport_http._heads import text_of
from mcptest.compliance.rules.transport_http._mirrors import request_of, standard_faults
from mcptest.protocol import PROTOCOL_VERSION

ID = "TRANSPORT-HTTP-054"
ON = http_ends("POST")
WATCH = refusals("initialize")


class MEMORY:
    def __init__(self) -> None:
        self.refused = False


def watch(_: Exchange, context: Context) -> None:
    context.memory.refused = True


def applies(exchange: HttpExchange, context: Context) -> bool:
    request = request_of(exchange)
    if request is None or exchange.status is None or PROTOCOL_VERSION not in request.meta:
        return False
    has = exchange.session_id is not None or exchange.last_event_id is not None
    if not has or not context.memory.refused or not context.history.modern_server:
        return False
    try:
        return not standard_faults(exchange, request)
    except Inconclusive:
        return False


def check(exchange: HttpExchange) -> Remarks:
    text = text_of(exchange)
    if exchange.status in (400, 404) and ("session" in text or "event id" in text or "last-event-id" in text):
        yield f"The request is refused with {exchange.status} because of a header of the older era"
