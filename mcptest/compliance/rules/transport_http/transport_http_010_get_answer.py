"""A GET on the MCP endpoint gives a stream of events, or 405.

`expect.streams`: there are such streams. Then other refusals are accepted where an early check explains them: of who
asks, of how often, of a session or version that is not known. Where there are none, a server without the older
era answers GET and DELETE with 405; that it has none shows when it refused an `initialize`.
"""

from mcptest.compliance.kit import Context, Exchange, HttpExchange, Inconclusive, Remarks, http_responses, refusals
from mcptest.compliance.rules.transport_http._heads import EVENT_STREAM, FIRST_LINE, accepts, media_ranges
from mcptest.protocol import HANDSHAKE_REVISIONS

ID = "TRANSPORT-HTTP-010"
ON = http_responses("GET", "DELETE")
WATCH = (refusals("initialize"), http_responses("POST"))
EXPECT = {"streams"}


class MEMORY:
    def __init__(self) -> None:
        self.refused = False
        self.served: set[str] = set()  # paths


def watch(subject: Exchange | HttpExchange, context: Context) -> None:
    if isinstance(subject, Exchange):
        context.memory.refused = True
    elif subject.ok and subject.sent:
        context.memory.served.add(subject.path)


def applies(exchange: HttpExchange, context: Context) -> bool:
    if not exchange.mcp or (exchange.status or 0) < 200 or 300 <= (exchange.status or 0) < 400:
        return False
    if not context.expect["streams"]:
        return context.history.modern_server and context.memory.refused
    asks = accepts(media_ranges(exchange.header("accept")), EVENT_STREAM)
    return exchange.verb == "GET" and asks == EVENT_STREAM and exchange.path in context.memory.served


def check(exchange: HttpExchange, context: Context) -> Remarks:
    status = exchange.status
    if status == 405 or status in FIRST_LINE:
        return
    if status in (502, 503, 504):
        raise Inconclusive(f"the answer is {status}: a gateway's, perhaps")
    if not context.expect["streams"]:
        yield f"The {exchange.verb} is answered with {status}, not with 405"
        return
    if exchange.streams or _is_early(exchange):
        return
    if exchange.last_event_id is not None and (status or 0) < 500:
        raise Inconclusive("the event id may be one that the server no longer knows")
    what = f"{status} and the type {exchange.answer_type[:60]!r}" if exchange.ok else status
    yield f"The GET is answered with {what}, neither with a stream of events nor with 405"


def _is_early(exchange: HttpExchange) -> bool:
    """Refused because of the session or the version?"""
    if exchange.status == 404:
        return exchange.session_id is not None
    version = exchange.header("mcp-protocol-version")
    return exchange.status == 400 and (exchange.session_id is None or version not in HANDSHAKE_REVISIONS)
