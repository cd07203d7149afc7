"""A client falls back to an older era only where the server does not know this one.

The server does know it if it refuses with one of this era's errors. After -32022 the client may fall back where the
server lists a version with a handshake. Judged are an `initialize`, and a GET that looks for the oldest transport.
"""

from mcptest.compliance.kit import (
    Context,
    History,
    HttpExchange,
    Remarks,
    http_ends,
    http_requests,
    sessions,
    warning,
)
from mcptest.compliance.rules.transport_http._heads import EVENT_STREAM, error_code, opens
from mcptest.compliance.rules.transport_http._mirrors import request_of
from mcptest.protocol import HANDSHAKE_REVISIONS, PROTOCOL_VERSION, errors

ID = "TRANSPORT-HTTP-047"
ON = sessions
WATCH = (http_ends("POST"), http_requests("POST", "GET"))


class MEMORY:
    def __init__(self) -> None:
        self.refused: HttpExchange | None = None  # the request whose refusal shows this era
        self.back: HttpExchange | None = None  # what was sent next, if it is of an older one
        self.tried = self.settled = False


def watch(exchange: HttpExchange, context: Context) -> None:
    memory: MEMORY = context.memory
    if exchange.synthetic or memory.settled:
        return
    refused = memory.refused
    if refused is not None and exchange is not refused and exchange.mono > (refused.response_mono or 0):
        memory.settled = True
        looks = exchange.verb == "GET" and EVENT_STREAM in (exchange.header("accept") or "")
        unnamed = exchange.session_id is None and exchange.last_event_id is None
        if opens(exchange) or (looks and unnamed):
            memory.back = exchange
        return
    request = request_of(exchange)
    if exchange.ended and request is not None and PROTOCOL_VERSION in request.meta and not exchange.ok:
        memory.tried = True
        if _shows_era(exchange):
            memory.refused = exchange


def _shows_era(exchange: HttpExchange) -> bool:
    code = error_code(exchange)
    if code == errors.UNSUPPORTED_PROTOCOL_VERSION:
        error = next((message.error for message in exchange.received if message.error), {})
        data = error.get("data")
        listed = data.get("supported") if type(data) is dict else None
        return type(listed) is list and not any(version in HANDSHAKE_REVISIONS for version in listed)
    return exchange.status == 400 and code in (errors.HEADER_MISMATCH, errors.MISSING_CLIENT_CAPABILITY)


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.tried)


def check(_: History, context: Context) -> Remarks:
    back, refused = context.memory.back, context.memory.refused
    if back is not None and refused is not None:
        what = "initialize" if opens(back) else "a GET"
        yield warning(f"The server refused with {error_code(refused)}, and the client goes back to {what}", of=back)
