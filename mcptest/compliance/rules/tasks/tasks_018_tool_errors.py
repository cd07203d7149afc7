"""A tool that reports an error ends its task in the state that the revision wants.

`expect.state` is that state: `failed` in 2025-11-25, where the result comes by `tasks/result`; `completed` since, where
`failed` is only for JSON-RPC errors and comes with one.
"""

from mcptest.compliance.kit import Context, Exchange, Part, Remarks, remark, results
from mcptest.compliance.rules.tasks import _tasks
from mcptest.compliance.rules.tasks._tasks import SAID, Tasks, key_of

ID = "TASKS-018"
ON = (results("tasks/result")._replace(noun="ends of tasks"), *SAID)
EXPECT = {"state"}
WATCH, watch = _tasks.WATCH, _tasks.watch


class MEMORY(Tasks):
    """With the results that report an error."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: dict[_tasks.Key, Exchange] = {}


def applies(subject: Exchange | Part, context: Context) -> bool:
    if context.expect["state"] == "completed":
        return (
            isinstance(subject, Part) and subject.members.get("status") in ("failed", "completed") and _whole(subject)
        )
    if isinstance(subject, Exchange):
        if subject.modern or subject.result.get("isError") is not True:
            return False
        context.memory.errors[key_of(subject)] = subject
        return key_of(subject) in context.memory.ended
    over = subject.members.get("status") in ("failed", "completed")
    return not subject.message.modern and over and (subject.sender, subject.name) in context.memory.errors


def _whole(task: Part) -> bool:
    return task.message.modern and task.where in ("tasks/get", "notifications/tasks")


def check(subject: Exchange | Part, context: Context) -> Remarks:
    if context.expect["state"] == "completed":
        assert isinstance(subject, Part)
        if subject.members["status"] == "failed" and type(subject.members.get("error")) is not dict:
            yield remark("The task failed, and there is no JSON-RPC error that it failed with", "/status")
        return
    ended = context.memory.ended[key_of(subject)] if isinstance(subject, Exchange) else subject
    if ended.members["status"] == "completed":
        at = "/result/isError" if isinstance(subject, Exchange) else "/status"
        yield remark("The tool reported an error, and its task is completed, not failed", at)
