"""The first thing that a listening client is told is that the server listens to it.

Judged on the first message that names the request, over HTTP on the first in its stream, and on the answer that ends
it. Without any acknowledgement the rule is broken only if the client waited a minute for it. A request that was
refused, or taken back before, is not judged.
"""

from mcptest.compliance.kit import (
    SERVER,
    Context,
    Exchange,
    Inconclusive,
    Message,
    Remarks,
    exchanges,
    modern_server,
    remark,
)
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import ACKNOWLEDGED
from mcptest.protocol.methods import LISTEN

ID = "SUB-002"
ON = exchanges(LISTEN).of(SERVER)._replace(noun="requests to listen")
MEMORY, WATCH, watch = _listens.MEMORY, _listens.WATCH, _listens.watch
PROVIDED = modern_server
_PATIENCE = 60_000_000_000  # ns


def applies(exchange: Exchange, context: Context) -> bool:
    if context.memory.of(exchange.request) is None or not exchange.modern:
        return False
    return _first(exchange, context) is not None or (not exchange.error and exchange.cancelled is None)


def check(exchange: Exchange, context: Context) -> Remarks:
    first = _first(exchange, context)
    if first is None and exchange.answer is None:
        _wait(exchange, context)
        yield "The server never acknowledged the request"
    elif first is None:
        context.rely_on_past()
        yield "The subscription ends without having been acknowledged"
    elif first.method != ACKNOWLEDGED:
        context.rely_on_past()
        yield remark(f"{first.name} comes before the acknowledgement", "/method", of=first)


def _first(exchange: Exchange, context: Context) -> Message | None:
    http = exchange.request.http
    if http is not None and http.streams and http.received and http.received[0].kind == "notification":
        return http.received[0]
    first: Message | None = context.memory.of(exchange.request).first
    return first


def _wait(exchange: Exchange, context: Context) -> None:
    context.rely_on_end()
    closed = context.history.event("eof", channel="stdin") or context.history.event("exit")
    if closed is None or closed.mono - exchange.request.mono < _PATIENCE:
        raise Inconclusive("the connection ended before the acknowledgement was due")
