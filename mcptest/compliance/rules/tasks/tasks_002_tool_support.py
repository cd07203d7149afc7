"""A tool is called as a task if it must be, and not if it must not.

By `execution.taskSupport` as the server last listed it; without it, calls are no tasks. Only where the server makes
tasks of calls at all. Open where a task is asked for from a tool that was not listed, or whose list has changed since.
"""

from mcptest.compliance.kit import Inconclusive, Message, Remarks, remark
from mcptest.compliance.rules.tasks._support import CALLS, REQUIRED, broken, support

ID = "TASKS-002"
ON = CALLS


def applies(message: Message) -> bool:
    return support(message) is not None or "task" in message.params


def check(message: Message) -> Remarks:
    if support(message) is None:
        raise Inconclusive("the capture does not show whether the tool can be called as a task")
    fault = broken(message)
    if fault == REQUIRED:
        yield remark("The tool must be called as a task, and is not", "/params")
    elif fault is not None:
        yield remark("The tool must not be called as a task, and is", "/params/task")
