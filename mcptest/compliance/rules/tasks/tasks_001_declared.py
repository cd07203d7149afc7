"""A task is asked for only where the receiver declared that it makes tasks of such requests.

`expect.declared` names the capability for each method. Of tools this is a MUST; sampling and elicitation are warned
about.
"""

from mcptest.compliance.kit import OTHER, Context, Message, Remarks, remark, warning
from mcptest.compliance.rules.tasks._tasks import WANTING, declares

ID = "TASKS-001"
ON = WANTING
EXPECT = {"declared"}


def applies(message: Message) -> bool:
    return message.capabilities(OTHER[message.sender]) is not None


def check(message: Message, context: Context) -> Remarks:
    path = context.expect["declared"][message.name]
    if not declares(message, OTHER[message.sender], *path.split(".")):
        say = remark if message.name == "tools/call" else warning
        yield say(f"A task is asked for, and the {OTHER[message.sender]} did not declare {path}", "/params/task")
