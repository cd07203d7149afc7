"""`Mcp-Method` repeats the method of each request."""

from mcptest.compliance.kit import HttpExchange, Remarks, http_requests
from mcptest.compliance.rules.transport_http._mirrors import method_fault, request_of

ID = "TRANSPORT-HTTP-028"
ON = http_requests("POST")


def applies(exchange: HttpExchange) -> bool:
    return request_of(exchange) is not None


def check(exchange: HttpExchange) -> Remarks:
    request = request_of(exchange)
    fault = None if request is None else method_fault(exchange, request)
    if fault is not None:
        yield fault.text
