"""The version in the header is the one in use.

`expect.sessions`: the one that the handshake settled on. Otherwise the one that the body names.
"""

from mcptest.compliance.kit import Context, Exchange, HttpExchange, Remarks, http_requests
from mcptest.compliance.rules.transport_http._mirrors import VERSION, request_of, version_fault
from mcptest.compliance.rules.transport_http._session import WATCH as WATCH
from mcptest.compliance.rules.transport_http._session import Session, belongs
from mcptest.protocol import PROTOCOL_VERSION

ID = "TRANSPORT-HTTP-025"
ON = http_requests()
EXPECT = {"sessions"}
MEMORY = Session


def watch(subject: Exchange | HttpExchange, context: Context) -> None:
    context.memory.watch(subject)


def applies(exchange: HttpExchange, context: Context) -> bool:
    if exchange.header(VERSION) is None:
        return False
    if context.expect["sessions"]:
        return bool(context.memory.begun) and belongs(exchange) and context.history.known.negotiated is not None
    request = request_of(exchange)
    return exchange.verb == "POST" and request is not None and type(request.meta.get(PROTOCOL_VERSION)) is str


def check(exchange: HttpExchange, context: Context) -> Remarks:
    given, settled = exchange.header(VERSION), context.history.known.negotiated
    if context.expect["sessions"]:
        if given != settled:
            yield f"{VERSION} is {str(given)[:40]!r}, and the handshake settled on {str(settled)[:40]!r}"
        return
    request = request_of(exchange)
    fault = None if request is None else version_fault(exchange, request)
    if fault is not None:
        yield fault.text
