"""`Mcp-Name` repeats what a request is about: a tool's or prompt's name, a resource's URI.

Compared after decoding. On other requests it is only mentioned; tasks have a rule of their own.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_requests, info
from mcptest.compliance.rules.transport_http._mirrors import NAME, name_fault, name_of, request_of

ID = "TRANSPORT-HTTP-029"
ON = http_requests("POST")


def applies(exchange: HttpExchange) -> bool:
    request = request_of(exchange)
    if request is None or str(request.method).startswith("tasks/"):
        return False
    return name_of(request) is not None or exchange.header(NAME) is not None


def check(exchange: HttpExchange) -> Remarks:
    request = request_of(exchange)
    assert request is not None
    if name_of(request) is None:
        yield info(f"{NAME} is sent with {str(request.method)[:80]}")
        return
    fault = name_fault(exchange, request)
    if fault is not None:
        yield fault.text
