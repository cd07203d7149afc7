"""Requests about tasks from a client that does not declare the extension are refused with -32021.

Judged on servers that declare it, or that created the task. Refusals for other reasons are not judged.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, answers, remark
from mcptest.compliance.rules.tasks import _tasks
from mcptest.compliance.rules.tasks._missing import fault, offered, other_reason, undeclared
from mcptest.compliance.rules.tasks._tasks import key_of

ID = "TASKS-107"
ON = answers("tasks/get", "tasks/update", "tasks/cancel").of(SERVER)._replace(noun="requests without the extension")
MEMORY, WATCH, watch = _tasks.MEMORY, _tasks.WATCH, _tasks.watch


def applies(exchange: Exchange, context: Context) -> bool:
    request = exchange.request
    if not undeclared(request) or exchange.cancelled is not None or other_reason(exchange):
        return False
    return offered(request) or key_of(exchange) in context.memory.created


def check(exchange: Exchange) -> Remarks:
    found = fault(exchange)
    if found is not None:
        yield remark(found, "/error" if exchange.error else "/result")
