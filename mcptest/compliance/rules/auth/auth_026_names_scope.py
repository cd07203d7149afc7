"""The challenge of a 401 names the scopes that are needed."""

from mcptest.compliance.kit import HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import challenge, protected, unauthorized

ID = "AUTH-026"
ON = unauthorized
PROVIDED = protected


def check(exchange: HttpExchange) -> Remarks:
    if not challenge(exchange).get("scope"):
        yield "The challenge names no scope"
