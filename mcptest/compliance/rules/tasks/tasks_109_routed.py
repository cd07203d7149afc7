"""`Mcp-Name` repeats the task that a request is about.

Compared after decoding.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_requests
from mcptest.compliance.rules.tasks._tasks import asked_for
from mcptest.compliance.rules.transport_http._mirrors import NAME, decode, rely_on_text, request_of

ID = "TASKS-109"
ON = http_requests("POST")
_METHODS = ("tasks/get", "tasks/update", "tasks/cancel")


def applies(exchange: HttpExchange) -> bool:
    request = request_of(exchange)
    return request is not None and request.modern and request.method in _METHODS and bool(asked_for(request))


def check(exchange: HttpExchange) -> Remarks:
    request = request_of(exchange)
    assert request is not None
    given, task = exchange.header(NAME), asked_for(request)
    if given is None:
        yield f"The POST has no {NAME}, which says where the task is"
    elif decode(given) != task:
        rely_on_text(given, decode(given), task)
        yield f"{NAME} is {given[:80]!r}, and the task is {task[:80]!r}"
