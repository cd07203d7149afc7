"""A POST says that it takes both forms of an answer.

Both types have to be listed by name. Where only a wildcard covers one, that is warned about.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_requests, warning
from mcptest.compliance.rules.transport_http._heads import EVENT_STREAM, JSON, accepts, media_ranges

ID = "TRANSPORT-HTTP-002"
ON = http_requests("POST")


def applies(exchange: HttpExchange) -> bool:
    return bool(exchange.sent)


def check(exchange: HttpExchange) -> Remarks:
    ranges = media_ranges(exchange.header("accept"))
    for media in (JSON, EVENT_STREAM):
        how = accepts(ranges, media)
        if how is None:
            yield f"Accept does not list {media}"
        elif how != media:
            yield warning(f"Accept covers {media} with {how} only")
