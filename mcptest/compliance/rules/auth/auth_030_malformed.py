"""A malformed Authorization header is refused with 400 or 401.

Malformed is a scheme without a credential. What was between them is not in a recording.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_ends, warning
from mcptest.compliance.rules.auth._flow import credential, protected

ID = "AUTH-030"
ON = http_ends("POST", "GET", "DELETE")
PROVIDED = protected


def applies(exchange: HttpExchange) -> bool:
    sent = credential(exchange)
    return exchange.mcp and sent is not None and not sent[1] and exchange.status is not None


def check(exchange: HttpExchange) -> Remarks:
    status = exchange.status or 0
    if exchange.ok:
        yield "A request with a malformed Authorization is served"
    elif status not in (400, 401) and 400 <= status < 500:
        yield warning(f"A malformed Authorization is refused with {status}, not with 400 or 401")
