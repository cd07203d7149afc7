"""A session that has ended is answered with 404.

It has ended when the server let a DELETE of it pass, or answered 404 and spoke of the session. Judged are requests that
came when that answer was already on its way; after a DELETE that was only accepted (202), a second later.
"""

from mcptest.compliance.kit import RACE, Context, HttpExchange, Inconclusive, Remarks, http_ends
from mcptest.compliance.rules.transport_http._heads import FIRST_LINE, text_of
from mcptest.compliance.rules.transport_http._session import is_gone
from mcptest.protocol import HANDSHAKE_REVISIONS

ID = "TRANSPORT-HTTP-017"
ON = WATCH = http_ends()
_MOST = 1000


class MEMORY:
    def __init__(self) -> None:
        self.ended: dict[str, tuple[HttpExchange, int]] = {}  # sessions: by what, and from when on


def watch(exchange: HttpExchange, context: Context) -> None:
    ended = context.memory.ended
    at = exchange.response_mono
    if not exchange.session_id or exchange.session_id in ended or at is None or len(ended) >= _MOST or not exchange.mcp:
        return
    if exchange.verb == "DELETE" and exchange.ok:
        ended[exchange.session_id] = exchange, at + (RACE if exchange.status == 202 else 0)
    elif is_gone(exchange):
        ended[exchange.session_id] = exchange, at


def applies(exchange: HttpExchange, context: Context) -> bool:
    by, since = context.memory.ended.get(exchange.session_id or "", (exchange, 0))
    return by is not exchange and exchange.mono > since and by.path == exchange.path and exchange.status is not None


def check(exchange: HttpExchange, context: Context) -> Remarks:
    status = exchange.status or 0
    version = exchange.header("mcp-protocol-version")
    if status == 404:
        return
    if status in FIRST_LINE or status >= 500 or (status == 400 and version not in HANDSHAKE_REVISIONS):
        raise Inconclusive(f"the answer is {status}, which may have another reason")
    by, _ = context.memory.ended[exchange.session_id or ""]
    if by.verb != "DELETE" and "session" not in text_of(by):
        raise Inconclusive("the 404 before it may have had another reason than the session")
    if exchange.verb != "POST" and status == 405:
        return
    yield f"The session ended with the {by.verb} in frame {by.seq}, and this is answered with {status}, not with 404"
