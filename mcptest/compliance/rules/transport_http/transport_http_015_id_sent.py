"""Once a server has named the session, the client says the name with every request.

From the moment that the client shows to have the InitializeResult: by the notification that follows it. Not judged are
a new `initialize` and what comes after the session has ended.
"""

from mcptest.compliance.kit import Context, Exchange, HttpExchange, Remarks, http_requests
from mcptest.compliance.rules.transport_http._session import WATCH as WATCH
from mcptest.compliance.rules.transport_http._session import Session, belongs

ID = "TRANSPORT-HTTP-015"
ON = http_requests()
MEMORY = Session


def watch(subject: Exchange | HttpExchange, context: Context) -> None:
    context.memory.watch(subject)


def applies(exchange: HttpExchange, context: Context) -> bool:
    memory: Session = context.memory
    return memory.id is not None and memory.begun and memory.over is None and belongs(exchange)


def check(exchange: HttpExchange, context: Context) -> Remarks:
    if exchange.session_id is None:
        yield f"The {exchange.verb} lacks the session id that the server gave"
    elif exchange.session_id != context.memory.id:
        yield f"The {exchange.verb} has the session id {exchange.session_id[:40]!r}, the server gave another"
