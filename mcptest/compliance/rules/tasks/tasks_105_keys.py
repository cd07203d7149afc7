"""The key of a task's request for input is never used for another one.

The same request may stand there as long as it is open. Not judged where secrets were removed from either.
"""

from mcptest.compliance.kit import Context, Part, Remarks, pointer, remark, same
from mcptest.compliance.rules.tasks._questions import questions
from mcptest.compliance.rules.tasks._tasks import DETAILED

ID = "TASKS-105"
ON = DETAILED
_MOST = 10_000


class MEMORY:
    def __init__(self) -> None:
        self.first: dict[tuple[str, str], Part] = {}


def applies(task: Part) -> bool:
    return bool(questions(task)) and bool(task.name) and not task.message.redacted


def check(task: Part, context: Context) -> Remarks:
    first = context.memory.first
    for key, value in questions(task).items():
        before = first.get((task.name, key))
        if before is None:
            if len(first) < _MOST:
                first[task.name, key] = task
        elif not same(questions(before)[key], value):
            at = pointer("inputRequests", key)
            yield remark(f"The key {key[:80]!r} stood for another request in frame {before.message.seq}", at)
