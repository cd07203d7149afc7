"""Log messages are sent only for a request that asked for them.

It does so by `io.modelcontextprotocol/logLevel` in its `_meta`. On stdio a message does not say whose it is: it was
asked for if all requests in flight asked, and remains open if some did. If none did, but one before had, it comes too
late, which LOG-008 judges. What comes before the client's first request is not judged: the server cannot know yet
which era it is in.
"""

from mcptest.compliance.kit import (
    Context,
    History,
    Inconclusive,
    Message,
    Remarks,
    modern_server,
    remark,
    sessions,
)
from mcptest.compliance.rules.log._levels import ASKING, LOGS, Suspects, in_flight

ID = "LOG-006"
ON = (LOGS, sessions)
MEMORY, WATCH = Suspects, ASKING
PROVIDED = modern_server


def watch(request: Message, context: Context) -> None:
    context.memory.note(request)


def applies(subject: Message | History, context: Context) -> bool:
    memory = context.memory
    if isinstance(subject, History):
        return bool(memory.found)
    if not subject.modern or memory.last is None:
        return False
    asking, _ = in_flight(context)
    if not asking and not memory.ever:
        memory.suspect(subject)
    return bool(asking)


def check(subject: Message | History, context: Context) -> Remarks:
    if isinstance(subject, Message):
        _, others = in_flight(context)
        if others:
            raise Inconclusive("some of the requests in flight asked for log messages, and some did not")
        return
    for message in context.memory.left(context):
        yield remark("The log message was sent, but no request asked for any", of=message)
