"""A GET that listens says that it takes a stream of events.

Judged are requests with one of the headers of MCP; others may be somebody's look at the address.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_requests, warning
from mcptest.compliance.rules.transport_http._heads import EVENT_STREAM, accepts, media_ranges

ID = "TRANSPORT-HTTP-009"
ON = http_requests("GET")


def applies(exchange: HttpExchange) -> bool:
    own = (exchange.session_id, exchange.last_event_id, exchange.header("mcp-protocol-version"))
    return exchange.mcp and any(value is not None for value in own)


def check(exchange: HttpExchange) -> Remarks:
    how = accepts(media_ranges(exchange.header("accept")), EVENT_STREAM)
    if how is None:
        yield f"Accept does not list {EVENT_STREAM}"
    elif how != EVENT_STREAM:
        yield warning(f"Accept covers {EVENT_STREAM} with {how} only")
