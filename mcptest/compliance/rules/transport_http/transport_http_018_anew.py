"""After a 404 for its session, a client starts anew.

With an `initialize` that has no session id. Judged are requests a second after that answer and later, which the client
must have had by then; a DELETE of the dead session is only warned about.
"""

from mcptest.compliance.kit import RACE, Context, HttpExchange, Remarks, http_ends, http_requests, warning
from mcptest.compliance.rules.transport_http._heads import opens
from mcptest.compliance.rules.transport_http._session import is_gone

ID = "TRANSPORT-HTTP-018"
ON = http_requests()
WATCH = http_ends("POST")
MEMORY = dict[str, int]


def watch(exchange: HttpExchange, context: Context) -> None:
    if exchange.session_id and is_gone(exchange) and exchange.response_mono is not None and exchange.mcp:
        context.memory.setdefault(exchange.session_id, exchange.response_mono)


def applies(exchange: HttpExchange, context: Context) -> bool:
    if not exchange.mcp or not context.memory or exchange.verb not in ("POST", "GET", "DELETE"):
        return False
    return bool(exchange.mono - min(context.memory.values()) > RACE)


def check(exchange: HttpExchange, context: Context) -> Remarks:
    since = context.memory.get(exchange.session_id or "")
    if since is None or exchange.mono - since <= RACE:
        return
    if exchange.verb == "DELETE":
        yield warning("The client ends a session that the server had answered with 404")
    elif opens(exchange):
        yield "The new initialize has the session id that the server had answered with 404"
    else:
        yield "The client goes on with a session id that the server had answered with 404"
