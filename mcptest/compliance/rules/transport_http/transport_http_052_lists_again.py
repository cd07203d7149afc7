"""A client whose call was refused for its `Mcp-Param-` headers lists the tools again before it tries again.

Judged are calls that are refused with -32020 although their standard headers are right: the same call with the same
headers, without a `tools/list` between.
"""

from mcptest.compliance.kit import Context, HttpExchange, Inconclusive, Remarks, http_ends, http_requests
from mcptest.compliance.rules.transport_http._heads import error_code
from mcptest.compliance.rules.transport_http._mirrors import PARAM, request_of, standard_faults
from mcptest.protocol import errors

ID = "TRANSPORT-HTTP-052"
ON = http_requests("POST")._replace(noun="requests after a refusal")
WATCH = http_ends("POST")


class MEMORY:
    def __init__(self) -> None:
        self.refused: HttpExchange | None = None


def watch(exchange: HttpExchange, context: Context) -> None:
    request = request_of(exchange)
    if request is None or request.method != "tools/call" or error_code(exchange) != errors.HEADER_MISMATCH:
        return
    try:
        if not standard_faults(exchange, request):
            context.memory.refused = exchange
    except Inconclusive:
        return


def applies(exchange: HttpExchange, context: Context) -> bool:
    refused = context.memory.refused
    request = request_of(exchange)
    return refused is not None and request is not None and exchange.mono > (refused.response_mono or 0)


def check(exchange: HttpExchange, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    request = request_of(exchange)
    assert request is not None
    assert memory.refused is not None
    before = request_of(memory.refused)
    assert before is not None
    if request.method == "tools/list":
        memory.refused = None
        return
    alike = request.method == "tools/call" and _arguments(request.params) == _arguments(before.params)
    if alike and _params(exchange) == _params(memory.refused):
        yield "The call is repeated with the headers that it was refused for"


def _arguments(params: dict[str, object]) -> str:
    return repr((params.get("name"), params.get("arguments")))


def _params(exchange: HttpExchange) -> dict[bytes, bytes]:
    prefix = PARAM.lower().encode()
    return {name.lower(): value for name, value in exchange.request.headers if name.lower().startswith(prefix)}
