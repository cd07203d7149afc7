"""What 2025-11-25 had for tasks is not used any more.

`tasks/result` and `tasks/list` are warned about. A capability `tasks`, and `task` in the params of a call, are
mentioned, once a session.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Message, Remarks, info, remark, requests, results
from mcptest.protocol import CLIENT_CAPABILITIES

ID = "TASKS-110"
ON = (
    requests("tasks/result", "tasks/list", "tools/call", "server/discover").of(CLIENT)._replace(noun="requests"),
    results("server/discover").of(SERVER),
)
EXPECT = {"removed"}
MEMORY = set[str]


def applies(subject: Message | Exchange) -> bool:
    return subject.modern


def check(subject: Message | Exchange, context: Context) -> Remarks:
    if isinstance(subject, Exchange):
        capabilities, where = subject.result.get("capabilities"), "/result/capabilities/tasks"
    else:
        capabilities, where = subject.meta.get(CLIENT_CAPABILITIES), "/params/_meta"
        if subject.method in context.expect["removed"]:
            yield remark(f"{context.revision} has no {subject.method}", "/method")
        if subject.method == "tools/call" and "task" in subject.params and "task" not in context.memory:
            context.memory.add("task")
            yield info("task in the params has no meaning any more", "/params/task")
    if type(capabilities) is dict and "tasks" in capabilities and where not in context.memory:
        context.memory.add(where)
        yield info("The capability tasks has no meaning any more; there is an extension for it", where)
