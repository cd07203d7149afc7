"""A task's result is what its request would have come to without a task.

Judged by the shape of the results of the request that the task came from, where the capture has it.
"""

from mcptest.compliance import shapes
from mcptest.compliance.kit import Context, Exchange, Remarks, remark, results
from mcptest.compliance.rules.tasks import _tasks
from mcptest.compliance.rules.tasks._tasks import key_of

ID = "TASKS-011"
ON = results("tasks/result")
MEMORY, WATCH, watch = _tasks.MEMORY, _tasks.WATCH, _tasks.watch


def applies(exchange: Exchange, context: Context) -> bool:
    return not exchange.modern and key_of(exchange) in context.memory.created


def check(exchange: Exchange, context: Context) -> Remarks:
    method = context.memory.created[key_of(exchange)].method
    assert exchange.answer is not None
    for misfit in shapes.problems(exchange.revision, exchange.sender, method, shapes.RESULT, exchange.result):
        yield remark(
            f"It is no result of {method}: {misfit.pointer[:100]}: {misfit.message[:200]}", "/result" + misfit.pointer
        )
