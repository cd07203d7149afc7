"""The handshake is never cancelled."""

from mcptest.compliance.kit import CLIENT, Message, Remarks, remark
from mcptest.compliance.rules.cancel._ids import CANCELLATIONS
from mcptest.protocol.methods import INITIALIZE

ID = "CANCEL-003"
ON = CANCELLATIONS.of(CLIENT)


def applies(message: Message) -> bool:
    return message.about is not None


def check(message: Message) -> Remarks:
    if message.about is not None and message.about.method == INITIALIZE:
        yield remark("The client cancels its initialize request", "/params/requestId")
