"""Tasks are listed and cancelled only where the receiver declared that they can be.

`expect.declared` names the capability for each method.
"""

from mcptest.compliance.kit import OTHER, Context, Message, Remarks, remark, requests
from mcptest.compliance.rules.tasks._tasks import declares

ID = "TASKS-015"
ON = requests("tasks/list", "tasks/cancel")
EXPECT = {"declared"}


def applies(message: Message) -> bool:
    return not message.modern and message.capabilities(OTHER[message.sender]) is not None


def check(message: Message, context: Context) -> Remarks:
    path = context.expect["declared"][message.name]
    if not declares(message, OTHER[message.sender], *path.split(".")):
        yield remark(f"The {OTHER[message.sender]} did not declare {path}", "/method")
