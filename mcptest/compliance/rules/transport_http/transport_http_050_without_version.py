"""A request without the header of the version is not refused for that.

The server knows the version from the handshake, or takes 2025-03-26 for it. That the header is the reason shows where
the refusal names it.
"""

from mcptest.compliance.kit import Context, Exchange, HttpExchange, Remarks, http_ends
from mcptest.compliance.rules.transport_http._heads import text_of
from mcptest.compliance.rules.transport_http._mirrors import VERSION
from mcptest.compliance.rules.transport_http._session import WATCH as WATCH
from mcptest.compliance.rules.transport_http._session import Session, belongs

ID = "TRANSPORT-HTTP-050"
ON = http_ends()
MEMORY = Session


def watch(subject: Exchange | HttpExchange, context: Context) -> None:
    context.memory.watch(subject)


def applies(exchange: HttpExchange, context: Context) -> bool:
    return (
        bool(context.memory.begun) and belongs(exchange) and exchange.header(VERSION) is None and bool(exchange.status)
    )


def check(exchange: HttpExchange) -> Remarks:
    if exchange.status == 400 and "protocol" in text_of(exchange) and "version" in text_of(exchange):
        yield "A request is refused because it has no header with the version"
