"""A request for input asks for something, or gives a state to come back with.

`inputRequests` without a single request, and no state, is warned about: there is nothing that a client could do.
"""

from mcptest.compliance.kit import Exchange, Remarks, remark, warning
from mcptest.compliance.rules.mrtr._retries import PAUSED, REQUESTS, STATE

ID = "MRTR-002"
ON = PAUSED


def check(exchange: Exchange) -> Remarks:
    result = exchange.result
    if REQUESTS not in result and STATE not in result:
        yield remark("The result asks for input, and has neither inputRequests nor requestState", "/result")
    elif STATE not in result and result[REQUESTS] == {}:
        yield warning("inputRequests is empty, and there is no requestState", "/result/inputRequests")
