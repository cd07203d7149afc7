"""Before a server closes a connection whose stream goes on, it says when to come back.

That is a `retry` field on any event of the connection. Judged where events had ids and the response had not come; if
the connection broke off, the network may have cut it, which remains open.
"""

from mcptest.compliance.kit import CLIENT, Context, Exchange, HttpExchange, Inconclusive, Remarks, http_ends
from mcptest.compliance.rules.transport_http._heads import carries
from mcptest.compliance.rules.transport_http._session import WATCH as WATCH
from mcptest.compliance.rules.transport_http._session import Session

ID = "TRANSPORT-HTTP-040"
ON = http_ends("POST")._replace(noun="streams")
MEMORY = Session


def watch(subject: Exchange | HttpExchange, context: Context) -> None:
    context.memory.watch(subject)


def applies(exchange: HttpExchange, context: Context) -> bool:
    if not exchange.streams or not exchange.ended or exchange.by == CLIENT or exchange.last_id is None:
        return False
    cancelled = any(one.cancelled for one in context.history.in_flight(CLIENT) if one.request.http is exchange)
    return carries(exchange, "request") and not exchange.answers and not cancelled and context.memory.over is None


def check(exchange: HttpExchange) -> Remarks:
    if exchange.retry is not None:
        return
    if exchange.how != "whole":
        raise Inconclusive("the connection broke off, perhaps by the network's doing")
    yield "The server closed the connection before the response, and did not say when to come back"
