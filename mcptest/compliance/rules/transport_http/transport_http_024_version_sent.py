"""A client says the protocol's version in a header.

`expect.sessions`: with every request after the handshake, from the moment that the client shows to have the
InitializeResult. Otherwise with every POST that holds a request; for notifications no header is defined.
"""

from mcptest.compliance.kit import Context, Exchange, HttpExchange, Remarks, http_requests
from mcptest.compliance.rules.transport_http._heads import carries
from mcptest.compliance.rules.transport_http._mirrors import VERSION
from mcptest.compliance.rules.transport_http._session import WATCH as WATCH
from mcptest.compliance.rules.transport_http._session import Session, belongs

ID = "TRANSPORT-HTTP-024"
ON = http_requests()
EXPECT = {"sessions"}
MEMORY = Session


def watch(subject: Exchange | HttpExchange, context: Context) -> None:
    context.memory.watch(subject)


def applies(exchange: HttpExchange, context: Context) -> bool:
    if not context.expect["sessions"]:
        return exchange.verb == "POST" and carries(exchange, "request")
    return bool(context.memory.begun) and belongs(exchange)


def check(exchange: HttpExchange) -> Remarks:
    if exchange.header(VERSION) is None:
        yield f"The {exchange.verb} has no {VERSION}"
