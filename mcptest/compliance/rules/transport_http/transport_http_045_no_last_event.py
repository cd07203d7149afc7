"""Streams are not resumed in the stateless era, so `Last-Event-ID` is not sent."""

from mcptest.compliance.kit import HttpExchange, Remarks, http_requests

ID = "TRANSPORT-HTTP-045"
ON = http_requests("POST", "GET")


def applies(exchange: HttpExchange) -> bool:
    return exchange.mcp


def check(exchange: HttpExchange) -> Remarks:
    if exchange.last_event_id is not None:
        yield f"The {exchange.verb} has a Last-Event-ID"
