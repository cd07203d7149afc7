"""Only servers send progress, since only clients send requests."""

from mcptest.compliance.kit import CLIENT, Message, Remarks, notifications
from mcptest.protocol.methods import PROGRESS

ID = "PROGRESS-007"
ON = notifications().of(CLIENT)


def check(message: Message) -> Remarks:
    if message.method == PROGRESS:
        yield "The client sends progress"
