"""A request for a task that is accepted gets a task.

Judged where the receiver declared tasks for such requests, and of tools where the tool can be called as one. An error
means that it was not accepted.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, a, remark
from mcptest.compliance.rules.tasks._support import FORBIDDEN, support
from mcptest.compliance.rules.tasks._tasks import WANTED, declares

ID = "TASKS-004"
ON = WANTED._replace(noun="accepted requests for tasks")
EXPECT = {"declared"}


def applies(exchange: Exchange, context: Context) -> bool:
    request = exchange.request
    if exchange.error:
        return False
    path = context.expect["declared"][exchange.method]
    if exchange.method == "tools/call" and support(request) in (None, FORBIDDEN):
        return False
    return declares(request, exchange.sender, *path.split(".")) is True


def check(exchange: Exchange) -> Remarks:
    if type(exchange.result.get("task")) is not dict:
        found = exchange.result.get("task")
        said = f"task is {a(found)}" if "task" in exchange.result else "there is none in the result"
        yield remark(f"A task was asked for, and {said}", "/result")
