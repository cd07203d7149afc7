"""A call whose `Mcp-Param-` headers do not fit its arguments is refused with 400 and -32020.

Judged are calls of listed tools whose standard headers are right. A header for an argument that is not there may be
answered either way. A 400 without a JSON-RPC error may be a gateway's, and is warned about. An integer that is the same
number in another spelling should not be refused.
"""

from mcptest.compliance.kit import HttpExchange, Inconclusive, Message, Remarks, http_ends, modern_server, warning
from mcptest.compliance.rules.transport_http._heads import FIRST_LINE, error_code, rely_on_answer
from mcptest.compliance.rules.transport_http._mirrors import (
    Fault,
    param_faults,
    request_of,
    shown_values,
    standard_faults,
    wanted_by,
)
from mcptest.protocol import errors

ID = "TRANSPORT-HTTP-032"
ON = http_ends("POST")._replace(noun="calls")
PROVIDED = modern_server


def applies(exchange: HttpExchange) -> bool:
    request = request_of(exchange)
    if request is None or request.method != "tools/call" or exchange.status is None:
        return False
    try:
        if standard_faults(exchange, request):
            return False
        return bool(_faults(exchange, request)) or _is_respelt(exchange, request)
    except Inconclusive:
        return False


def check(exchange: HttpExchange) -> Remarks:
    request = request_of(exchange)
    assert request is not None
    status, code = exchange.status or 0, error_code(exchange)
    found = _faults(exchange, request)
    if not found:
        if code == errors.HEADER_MISMATCH:
            yield warning("An integer is refused that is the same number in another spelling")
        return
    if code == errors.HEADER_MISMATCH:
        if status != 400:
            yield f"The headers are refused with the status {status}, not with 400"
        return
    if status in FIRST_LINE or status >= 500 or 300 <= status < 400 or code in (errors.INVALID_PARAMS, -32022, -32021):
        raise Inconclusive(f"the answer is {status} with {code}, which may have another reason")
    if status >= 400 and code is None:
        if status != 400:
            raise Inconclusive(f"the answer is {status}, which may have another reason")
        rely_on_answer(exchange)
        yield warning(f"{found[0].text}: it is refused with 400, without the error -32020")
    elif exchange.received:
        yield f"{found[0].text}: it is {'served' if code is None else f'answered with the error {code}'}"


def _faults(exchange: HttpExchange, request: Message) -> list[Fault]:
    wanted = wanted_by(request)
    return [fault for fault in param_faults(exchange, request, wanted or []) if not fault.surplus]


def _is_respelt(exchange: HttpExchange, request: Message) -> bool:
    shown = shown_values(request, wanted_by(request) or [])
    return any(one.number and exchange.header(one.header) != one.value for one in shown)
