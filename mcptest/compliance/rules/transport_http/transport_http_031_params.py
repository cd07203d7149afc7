"""Arguments that a tool has marked with `x-mcp-header` are repeated in headers.

By what the client last got from `tools/list`; where the list has changed since, this remains open. Integers are
compared as numbers. An argument that is null or not there has no header.
"""

from mcptest.compliance.kit import HttpExchange, Inconclusive, Remarks, http_requests
from mcptest.compliance.rules.tools._headers import faults, mirrored
from mcptest.compliance.rules.transport_http._mirrors import param_faults, request_of, wanted_by

ID = "TRANSPORT-HTTP-031"
ON = http_requests("POST")._replace(noun="calls")


def applies(exchange: HttpExchange) -> bool:
    request = request_of(exchange)
    if request is None or request.method != "tools/call":
        return False
    tool = request.known.tools.get(request.params.get("name"))
    schema = None if tool is None else tool.members.get("inputSchema")
    return any(mirrored(schema)) and next(faults(schema), None) is None


def check(exchange: HttpExchange) -> Remarks:
    request = request_of(exchange)
    assert request is not None
    wanted = wanted_by(request)
    if wanted is None:
        raise Inconclusive("the list of tools has changed since it was read")
    for fault in param_faults(exchange, request, wanted):
        yield fault.text
