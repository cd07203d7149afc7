"""The id of a task is a string, and that of no other task.

The same id with another time of creation is another task. `expect.again` says whether that fails or is warned about.
Ids that are short or only digits are warned about: who guesses one can read the task.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, info, remark, warning
from mcptest.compliance.rules.tasks._tasks import RECEIPTS

ID = "TASKS-005"
ON = RECEIPTS
EXPECT = {"again"}
_SHORT = 8
_MOST = 10_000


class MEMORY:
    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], Part] = {}


def check(task: Part, context: Context) -> Remarks:
    name = task.members.get("taskId")
    if type(name) is not str:
        yield remark(
            f"taskId is {a(name)}, not a string" if "taskId" in task.members else "taskId is missing", "/taskId"
        )
        return
    seen, key = context.memory.seen, (task.sender, name)
    before = seen.get(key)
    if before is not None:
        if before.members.get("createdAt") == task.members.get("createdAt"):
            yield info(f"The task is that of frame {before.message.seq}", "/taskId")
        else:
            say = remark if context.expect["again"] == "failed" else warning
            yield say(f"Another task had this id, in frame {before.message.seq}", "/taskId")
    elif len(seen) < _MOST:
        seen[key] = task
    if len(name) < _SHORT or name.isdecimal():
        yield warning(f"The id {name[:40]!r} is easy to guess", "/taskId")
