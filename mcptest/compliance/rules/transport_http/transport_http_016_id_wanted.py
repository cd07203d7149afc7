"""A server that wants a session id answers 400 to a request that has none.

A server that serves the request does not want one, and other early checks may come first: neither is judged.
"""

from mcptest.compliance.kit import Context, Exchange, HttpExchange, Inconclusive, Remarks, http_responses
from mcptest.compliance.rules.transport_http._heads import FIRST_LINE
from mcptest.compliance.rules.transport_http._session import WATCH as WATCH
from mcptest.compliance.rules.transport_http._session import Session, belongs

ID = "TRANSPORT-HTTP-016"
ON = http_responses()
MEMORY = Session
_OTHER_CHECKS = FIRST_LINE | {405, 406, 413, 415}


def watch(subject: Exchange | HttpExchange, context: Context) -> None:
    context.memory.watch(subject)


def applies(exchange: HttpExchange, context: Context) -> bool:
    memory: Session = context.memory
    if memory.id is None or exchange.session_id is not None or not belongs(exchange):
        return False
    return (exchange.status or 0) >= 400 and exchange.status not in _OTHER_CHECKS


def check(exchange: HttpExchange) -> Remarks:
    if (exchange.status or 0) >= 500:
        raise Inconclusive(f"the answer is {exchange.status}, which may have another reason")
    if exchange.status != 400:
        yield f"A request without a session id is answered with {exchange.status}, not with 400"
