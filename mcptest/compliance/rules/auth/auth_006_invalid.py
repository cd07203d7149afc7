"""An invalid or expired token is answered with 401.

Tokens are opaque to a recording: that one is invalid shows where the server says so.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_ends
from mcptest.compliance.rules.auth._flow import challenge, credential, protected

ID = "AUTH-006"
ON = http_ends("POST", "GET", "DELETE")
PROVIDED = protected


def applies(exchange: HttpExchange) -> bool:
    if not exchange.mcp or credential(exchange) is None or exchange.status is None:
        return False
    body = exchange.answer_json
    told = body.get("error") if type(body) is dict else None
    return challenge(exchange).get("error") == "invalid_token" or told == "invalid_token"


def check(exchange: HttpExchange) -> Remarks:
    if exchange.status != 401:
        yield f"The server calls a token invalid, and answers with {exchange.status} instead of 401"
