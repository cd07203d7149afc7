"""A server does not close a stream before the response.

Judged at the end of the session: an answer may still come on a stream that was resumed. Not judged where the request
was taken back, the client closed first or the session ended; what broke off may be the network's doing, and remains
open.
"""

from mcptest.compliance.kit import CLIENT, Context, Exchange, Inconclusive, Remarks, exchanges
from mcptest.compliance.rules.transport_http._session import WATCH as WATCH
from mcptest.compliance.rules.transport_http._session import Session

ID = "TRANSPORT-HTTP-042"
ON = exchanges()._replace(noun="streams")
MEMORY = Session


def watch(subject: Exchange, context: Context) -> None:
    context.memory.watch(subject)


def applies(exchange: Exchange, context: Context) -> bool:
    http = exchange.request.http
    if http is None or not http.streams or exchange.asker != CLIENT:
        return False
    left = exchange.cancelled is not None or http.by == CLIENT or context.memory.over_before(http)
    return exchange.answer is not None or not left


def check(exchange: Exchange, context: Context) -> Remarks:
    http = exchange.request.http
    assert http is not None
    if exchange.answer is not None:
        return
    context.rely_on_end()
    if not http.ended or http.how != "whole":
        raise Inconclusive("the stream did not come to an orderly end")
    yield "The server closed the stream before the response"
