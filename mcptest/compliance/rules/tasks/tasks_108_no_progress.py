"""Tasks have neither progress nor log messages.

One that is sent to a listener breaks the rule. A log message that comes when nothing is asked for but the state of a
task is warned about; progress after the call was answered is for PROGRESS-005 and PROGRESS-006.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Message,
    Remarks,
    modern_server,
    notifications,
    remark,
    warning,
)
from mcptest.compliance.rules.sub._listens import without_handshake
from mcptest.compliance.rules.tasks import _tasks
from mcptest.compliance.rules.tasks._tasks import NAMING
from mcptest.protocol import SUBSCRIPTION_ID
from mcptest.protocol.methods import LISTEN, PROGRESS

ID = "TASKS-108"
ON = notifications(PROGRESS, "notifications/message").of(SERVER)._replace(noun="progress and log messages")
MEMORY, WATCH, watch = _tasks.MEMORY, _tasks.WATCH, _tasks.watch
PROVIDED = modern_server


def applies(message: Message, context: Context) -> bool:
    return without_handshake(message) and bool(context.memory.created)


def check(message: Message, context: Context) -> Remarks:
    if SUBSCRIPTION_ID in message.meta:
        yield remark(f"{message.name} is sent to a listener", "/params/_meta")
    elif message.method != PROGRESS and context.history.transport == "stdio":
        waiting = {exchange.method for exchange in context.history.in_flight(CLIENT)}
        at_work = context.memory.created.keys() - context.memory.ended.keys()
        if at_work and not waiting - {LISTEN, *NAMING}:
            yield warning("A log message comes when only a task is at work")
