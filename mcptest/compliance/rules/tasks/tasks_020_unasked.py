"""Only a request that asks for a task gets one.

A task in a result is one that has an id and a status, with nothing else beside it.
"""

from mcptest.compliance.kit import Exchange, Remarks, remark, results
from mcptest.compliance.rules.tasks._tasks import AUGMENTED

ID = "TASKS-020"
ON = results(*AUGMENTED)._replace(noun="tasks")


def applies(exchange: Exchange) -> bool:
    task = exchange.result.get("task")
    return not exchange.modern and type(task) is dict and {"taskId", "status"} <= task.keys()


def check(exchange: Exchange) -> Remarks:
    if "task" not in exchange.params and not exchange.result.keys() - {"task", "_meta"}:
        yield remark("The answer is a task, and none was asked for", "/result/task")
