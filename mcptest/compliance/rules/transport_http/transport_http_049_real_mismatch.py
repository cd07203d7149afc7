"""-32020 speaks of a real fault of the headers.

The names of headers compare in any case, values after decoding, and `Mcp-Param-` headers that no tool asks for do not
count. Where the tool's definition is not known, or a header came twice, this remains open.
"""

from mcptest.compliance.kit import CLIENT, Exchange, Inconclusive, Remarks, refusals
from mcptest.compliance.rules.transport_http._mirrors import param_faults, request_of, standard_faults, wanted_by
from mcptest.protocol import PROTOCOL_VERSION, errors

ID = "TRANSPORT-HTTP-049"
ON = refusals()


def applies(exchange: Exchange) -> bool:
    http = exchange.request.http
    if exchange.code != errors.HEADER_MISMATCH or exchange.asker != CLIENT or http is None:
        return False
    return request_of(http) is exchange.request


def check(exchange: Exchange) -> Remarks:
    request, http = exchange.request, exchange.request.http
    assert http is not None
    if type(request.meta.get(PROTOCOL_VERSION)) is not str or standard_faults(http, request):
        return
    wanted = wanted_by(request)
    names = [name.lower() for name, _ in http.request.headers]
    if str(request.method).startswith("tasks/"):
        raise Inconclusive("the extension for tasks has headers of its own")
    if wanted is None:
        raise Inconclusive("the tool's definition is not in the capture, or has changed")
    if len(set(names)) < len(names):
        raise Inconclusive("a header came twice")
    if any(
        byte < 0x20 or byte > 0x7E
        for name, value in http.request.headers
        for byte in value
        if name[:4].lower() == b"mcp-"
    ):
        return
    if not list(param_faults(http, request, wanted)):
        yield "The request is refused for its headers, and they fit the body"
