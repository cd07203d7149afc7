"""Log messages are at or above the level that was asked for.

On stdio a message does not say whose it is: it is too low if it is below what every request in flight asked for. A
level that nobody knows asks for all.
"""

from functools import partial

from mcptest.compliance.kit import Context, History, Message, Remarks, modern_server, remark, sessions
from mcptest.compliance.rules.log._levels import ASKING, LOGS, Suspects, in_flight, is_level, rank
from mcptest.protocol import LOG_LEVEL

ID = "LOG-007"
ON = (LOGS, sessions)
MEMORY, WATCH = partial(Suspects, by_level=True), ASKING
PROVIDED = modern_server


def watch(request: Message, context: Context) -> None:
    context.memory.note(request)


def applies(subject: Message | History, context: Context) -> bool:
    if isinstance(subject, History):
        return bool(context.memory.found)
    if not subject.modern or not is_level(subject.params.get("level")):
        return False
    asking, _ = in_flight(context)
    if not asking:
        return False
    if rank(subject.params["level"]) < min(rank(request.meta[LOG_LEVEL]) for request in asking):
        context.memory.suspect(subject)
        return False
    return True


def check(subject: Message | History, context: Context) -> Remarks:
    if isinstance(subject, Message):
        return
    for message in context.memory.left(context):
        level = message.params["level"]
        yield remark(f"{level} is below the level that was asked for", "/params/level", of=message)
