"""The state of a task is told to those who listen for that task.

A task that was not asked for breaks the rule, one that was not acknowledged is warned about. Which request to listen is
meant, where none has the id, is for SUB-004.
"""

from typing import Any

from mcptest.compliance.kit import (
    SERVER,
    Context,
    Message,
    Remark,
    Remarks,
    modern_server,
    notifications,
    remark,
    warning,
)
from mcptest.compliance.rules._start import rely_on_start
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import TASKS, Listen, without_handshake
from mcptest.protocol import SUBSCRIPTION_ID

ID = "TASKS-112"
ON = notifications(TASKS).of(SERVER)
MEMORY, WATCH, watch = _listens.MEMORY, _listens.WATCH, _listens.watch
PROVIDED = modern_server


def applies(message: Message, context: Context) -> bool:
    if not without_handshake(message):
        return False
    return SUBSCRIPTION_ID not in message.meta or any(_open(message, context))


def check(message: Message, context: Context) -> Remarks:
    if SUBSCRIPTION_ID not in message.meta:
        rely_on_start(context)
        yield remark("The state of a task is told to nobody who listens", "/params")
        return
    found = [_fault(message, listen) for listen in _open(message, context)]
    fault = found[-1]
    if fault is not None and all(found):
        yield fault


def _open(message: Message, context: Context) -> list[Listen]:
    return [listen for listen in context.memory.named_by(message) if listen.open_at(message)]


def _fault(message: Message, listen: Listen) -> Remark | None:
    name: Any = message.params.get("taskId")
    wanted, granted = listen.wanted.get("taskIds"), listen.granted
    if type(wanted) is not list or name not in wanted:
        return remark(f"The client does not listen for the task {str(name)[:80]!r}", "/params/taskId")
    agreed = None if granted is None else granted.get("taskIds")
    if granted is not None and (type(agreed) is not list or name not in agreed):
        return warning(f"Listening for the task {str(name)[:80]!r} was not acknowledged", "/params/taskId")
    return None
