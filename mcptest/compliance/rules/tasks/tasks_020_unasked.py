"""Only a request that asks for a task gets one.

A task in a result is one that has an id and a status, with nothing else beside it.
"""

from mcptest.compliance.kit import Exchange, Remarks, inside, remark, results
from mcptest.compliance.rules.tasks._tasks import AUGMENTED

ID = "TASKS-020"


def _tasks(exchange: Exchange) -> tuple[Exchange, ...]:
    task = exchange.result.get("task")
    is_task = type(task) is dict and {"taskId", "status"} <= task.keys() and not exchange.modern
    return (exchange,) if is_task else ()


ON = inside(results(*AUGMENTED), _tasks, "tasks")


def check(exchange: Exchange) -> Remarks:
    if "task" not in exchange.params and not exchange.result.keys() - {"task", "_meta"}:
        yield remark("The answer is a task, and none was asked for", "/result/task")
