"""A request to listen is answered with a stream.

One that is refused has no stream. JSON in place of it is the end of what should only begin.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_ends
from mcptest.compliance.rules.transport_http._mirrors import request_of
from mcptest.protocol.methods import LISTEN

ID = "SUB-012"
ON = http_ends("POST")._replace(noun="requests to listen")


def applies(exchange: HttpExchange) -> bool:
    request = request_of(exchange)
    if request is None or not request.modern or request.method != LISTEN or not exchange.ok:
        return False
    return not any("error" in (answer.body or {}) for answer in exchange.answers)


def check(exchange: HttpExchange) -> Remarks:
    if not exchange.streams:
        what = exchange.answer_type or "no type"
        yield f"The response to a request to listen is {what[:80]}, not a stream of events"
