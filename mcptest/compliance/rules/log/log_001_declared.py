"""A server that sends log messages declares the `logging` capability.

Not judged where the capture does not have what the server declared.
"""

from mcptest.compliance.kit import Message, Remarks
from mcptest.compliance.rules.log._levels import LOGS

ID = "LOG-001"
ON = LOGS


def applies(message: Message) -> bool:
    return message.server_capabilities is not None


def check(message: Message) -> Remarks:
    declared = message.server_capabilities
    assert declared is not None
    if not declared.declares("logging"):
        yield "The server sends log messages, but does not declare logging"
