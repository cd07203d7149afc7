"""Cancelling ends a task as cancelled, and is refused with -32602 when the task is over.

A refusal of a task that was last seen at work is not judged: it may just have ended.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, a, answers, remark
from mcptest.compliance.rules.tasks import _tasks
from mcptest.compliance.rules.tasks._tasks import barred, declares, key_of
from mcptest.protocol import errors

ID = "TASKS-013"
ON = answers("tasks/cancel")._replace(noun="cancellations")
MEMORY, WATCH, watch = _tasks.MEMORY, _tasks.WATCH, _tasks.watch


def applies(exchange: Exchange, context: Context) -> bool:
    if exchange.modern:
        return False
    if not exchange.error:
        return True
    offered = declares(exchange.request, exchange.sender, "tasks", "cancel")
    unknown = exchange.code == errors.METHOD_NOT_FOUND and not offered
    return _was_over(exchange, context) is not None and not unknown and not barred(exchange)


def check(exchange: Exchange, context: Context) -> Remarks:
    over = _was_over(exchange, context)
    if exchange.error:
        if exchange.code != errors.INVALID_PARAMS:
            yield remark(f"A task that is over is refused with {exchange.code}, not with -32602", "/error/code")
    elif over is not None:
        yield remark(f"The task was over in frame {over}, and is cancelled instead of refused with -32602", "/result")
    elif exchange.result.get("status") != "cancelled":
        status = exchange.result.get("status")
        said = repr(status[:40]) if type(status) is str else a(status)
        yield remark(f"The status of a cancelled task is {said}, not 'cancelled'", "/result/status")


def _was_over(exchange: Exchange, context: Context) -> int | None:
    """The frame that said so before the cancellation was sent."""
    ended = context.memory.ended.get(key_of(exchange))
    return ended.message.seq if ended is not None and ended.message.seq < exchange.request.seq else None
