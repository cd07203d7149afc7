"""A request is taken back by closing its stream, not by a notification.

The specification expects none, and forbids none: it is only mentioned.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_requests, info

ID = "TRANSPORT-HTTP-046"
ON = http_requests("POST")._replace(noun="POSTs")


def applies(exchange: HttpExchange) -> bool:
    return bool(exchange.sent)


def check(exchange: HttpExchange) -> Remarks:
    if any(message.method == "notifications/cancelled" for message in exchange.sent):
        yield info("notifications/cancelled is sent; over HTTP closing the stream cancels")
