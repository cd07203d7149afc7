"""A receiver that declared no tasks for a request answers it as if none had been asked for.

A task breaks the rule; an error that blames the wish for a task is warned about.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, remark, warning
from mcptest.compliance.rules.tasks._tasks import WANTED, declares

ID = "TASKS-017"
ON = WANTED._replace(noun="requests for tasks that were not offered")
EXPECT = {"declared"}


def applies(exchange: Exchange, context: Context) -> bool:
    path = context.expect["declared"][exchange.method]
    return declares(exchange.request, exchange.sender, *path.split(".")) is False


def check(exchange: Exchange) -> Remarks:
    if type(exchange.result.get("task")) is dict:
        yield remark(f"The {exchange.sender} makes a task of it, and declared that it does not", "/result/task")
    elif exchange.error and "task" in str(exchange.error.get("message")).lower():
        yield warning("The request is refused for the task, which should be ignored", "/error")
