"""The server publishes its authorization metadata at the base URL."""

from mcptest.compliance.kit import HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import SERVER, server_requests

ID = "AUTH-031"
ON = server_requests


def applies(exchange: HttpExchange) -> bool:
    return exchange.path.rstrip("/") == SERVER and exchange.status is not None


def check(exchange: HttpExchange) -> Remarks:
    if exchange.status == 404:
        yield f"There is nothing at {SERVER}"
