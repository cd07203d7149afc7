"""Progress and log messages belong to requests, and are not told to listeners.

On stdio such a notification would name a request to listen.
"""

from mcptest.compliance.kit import SERVER, Message, Remarks, notifications, remark
from mcptest.compliance.rules.sub._listens import without_handshake
from mcptest.protocol import SUBSCRIPTION_ID
from mcptest.protocol.methods import PROGRESS

ID = "SUB-006"
ON = notifications(PROGRESS, "notifications/message").of(SERVER)._replace(noun="progress and log messages")


def applies(message: Message) -> bool:
    return without_handshake(message)


def check(message: Message) -> Remarks:
    if SUBSCRIPTION_ID in message.meta:
        yield remark(f"{message.name} is sent to a listener", "/params/_meta/io.modelcontextprotocol~1subscriptionId")
