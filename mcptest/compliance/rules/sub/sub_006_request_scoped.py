"""Progress and log messages belong to requests, and are not told to listeners.

Such a notification would name a request to listen, or come in the response to one.
"""

from mcptest.compliance.kit import SERVER, Message, Remarks, modern_server, notifications, remark
from mcptest.compliance.rules.sub._listens import stream_of, without_handshake
from mcptest.protocol import SUBSCRIPTION_ID
from mcptest.protocol.methods import LISTEN, PROGRESS

ID = "SUB-006"
ON = notifications(PROGRESS, "notifications/message").of(SERVER)._replace(noun="progress and log messages")
PROVIDED = modern_server


def applies(message: Message) -> bool:
    return without_handshake(message)


def check(message: Message) -> Remarks:
    request = stream_of(message)
    if request is not None and request.method == LISTEN:
        yield remark(f"{message.name} comes in the stream of a listener", "/method")
    elif SUBSCRIPTION_ID in message.meta:
        yield remark(f"{message.name} is sent to a listener", "/params/_meta/io.modelcontextprotocol~1subscriptionId")
