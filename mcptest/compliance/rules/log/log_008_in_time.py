"""Log messages come before the answer to the request that asked for them.

On stdio: a message that comes when no request that asked for any is in flight, although one was before, comes too late.
If none ever asked, LOG-006 judges it.
"""

from mcptest.compliance.kit import Context, History, Message, Remarks, modern_server, remark, sessions
from mcptest.compliance.rules.log._levels import ASKING, LOGS, Suspects, in_flight

ID = "LOG-008"
ON = (LOGS, sessions)
MEMORY, WATCH = Suspects, ASKING
PROVIDED = modern_server


def watch(request: Message, context: Context) -> None:
    context.memory.note(request)


def applies(subject: Message | History, context: Context) -> bool:
    memory = context.memory
    if isinstance(subject, History):
        return bool(memory.found)
    if not subject.modern or not memory.ever:
        return False
    asking, _ = in_flight(context)
    if not asking:
        memory.suspect(subject)
    return bool(asking)


def check(subject: Message | History, context: Context) -> Remarks:
    if isinstance(subject, Message):
        return
    for message in context.memory.left(context):
        yield remark("The log message came after the answer to the request that asked for it", of=message)
