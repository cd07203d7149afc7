"""The stream of a request comes to carry its answer.

Judged at the end of the session, since an answer may come on another connection where the stream was resumed. A stream
that broke off may have been lost by the network, and one with event ids (`expect.resumable`) that nobody came back for
may have gone on: both remain open. Not judged where the request was taken back or the session was ended.
"""

from mcptest.compliance.kit import CLIENT, Context, Exchange, Inconclusive, Remarks, exchanges
from mcptest.compliance.rules.transport_http._session import WATCH as WATCH
from mcptest.compliance.rules.transport_http._session import Session

ID = "TRANSPORT-HTTP-006"
ON = exchanges()._replace(noun="streams")
EXPECT = {"resumable"}
MEMORY = Session


def watch(subject: Exchange, context: Context) -> None:
    context.memory.watch(subject)


def applies(exchange: Exchange, context: Context) -> bool:
    http = exchange.request.http
    if http is None or not http.streams or exchange.asker != CLIENT or exchange.method == "subscriptions/listen":
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
    if context.expect["resumable"] and http.last_id is not None:
        raise Inconclusive("the stream had event ids and may have gone on for a client that comes back")
    yield "The server ended the stream without the response"
