"""The state of a task comes with what belongs to it.

`expect.members` says for each status which member that is; it is an object, and an error has a code and a message.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, remark
from mcptest.compliance.rules.tasks._tasks import DETAILED

ID = "TASKS-104"
ON = DETAILED
EXPECT = {"members"}


def applies(task: Part) -> bool:
    return task.message.modern


def check(task: Part, context: Context) -> Remarks:
    status = task.members.get("status")
    key = context.expect["members"].get(status) if type(status) is str else None
    if key is None:
        return
    value = task.members.get(key)
    if type(value) is not dict:
        said = f"{key} is {a(value)}, not an object" if key in task.members else f"it has no {key}"
        yield remark(f"The task is {status}, and {said}", f"/{key}" if key in task.members else "")
    elif key == "error" and not (type(value.get("code")) is int and type(value.get("message")) is str):
        yield remark("The error has no code that is a whole number, or no message", "/error")
