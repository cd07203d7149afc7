"""A new task is at work.

`expect.status` is the state that it begins in.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, remark
from mcptest.compliance.rules.tasks._tasks import RECEIPTS

ID = "TASKS-006"
ON = RECEIPTS
EXPECT = {"status"}


def check(task: Part, context: Context) -> Remarks:
    status = task.members.get("status")
    if status != context.expect["status"]:
        said = repr(status[:40]) if type(status) is str else a(status)
        yield remark(f"The status of a new task is {said}, not {context.expect['status']!r}", "/status")
