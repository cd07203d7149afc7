"""A request whose headers do not fit its body is refused with 400 and -32020.

Where another fault of the same request explains the answer, that is as good. A version that is only missing in the
header is judged where the server has shown that it knows no older clients: it refused an `initialize`. A 400 without
that error may be a gateway's, or about something else, and is warned about.
"""

from mcptest.compliance.kit import (
    Context,
    Exchange,
    HttpExchange,
    Inconclusive,
    Remarks,
    http_ends,
    modern_server,
    refusals,
    warning,
)
from mcptest.compliance.rules.transport_http._heads import FIRST_LINE, error_code, rely_on_answer
from mcptest.compliance.rules.transport_http._mirrors import VERSION, request_of, standard_faults
from mcptest.protocol import CLIENT_CAPABILITIES, PROTOCOL_VERSION, errors

ID = "TRANSPORT-HTTP-027"
ON = http_ends("POST")
WATCH = refusals("initialize")
PROVIDED = modern_server
_OTHER_FAULTS = {
    errors.UNSUPPORTED_PROTOCOL_VERSION,
    errors.MISSING_CLIENT_CAPABILITY,
    errors.INVALID_PARAMS,
    errors.METHOD_NOT_FOUND,
}


class MEMORY:
    def __init__(self) -> None:
        self.refused = False  # an initialize


def watch(_: Exchange, context: Context) -> None:
    context.memory.refused = True


def applies(exchange: HttpExchange, context: Context) -> bool:
    request = request_of(exchange)
    if request is None or exchange.status is None or type(request.meta.get(PROTOCOL_VERSION)) is not str:
        return False
    try:
        found = standard_faults(exchange, request)
    except Inconclusive:
        return False
    if all(fault.header == VERSION and fault.missing for fault in found):
        return bool(found) and bool(context.memory.refused)
    return True


def check(exchange: HttpExchange) -> Remarks:
    request = request_of(exchange)
    assert request is not None
    status, code = exchange.status or 0, error_code(exchange)
    if status in FIRST_LINE or status >= 500 or 300 <= status < 400:
        raise Inconclusive(f"the answer is {status}, which may have another reason")
    if code == errors.HEADER_MISMATCH:
        if status != 400:
            yield f"The headers are refused with the status {status}, not with 400"
        return
    if code in _OTHER_FAULTS or (code is not None and CLIENT_CAPABILITIES not in request.meta):
        raise Inconclusive(f"the request is refused with {code}, perhaps for another fault")
    text = standard_faults(exchange, request)[0].text
    if status >= 400:
        if status != 400:
            raise Inconclusive(f"the answer is {status}, which may have another reason")
        rely_on_answer(exchange)
        yield warning(f"{text}: it is refused with 400, without the error -32020")
    elif exchange.received:
        yield f"{text}: it is {'served' if code is None else f'answered with the error {code}'}"
