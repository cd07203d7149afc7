"""Over Streamable HTTP a client cancels by closing the stream, not with a notification."""

from mcptest.compliance.kit import CLIENT, Message, Remarks, calls
from mcptest.protocol.methods import CANCELLED

ID = "CANCEL-010"
ON = calls.of(CLIENT)


def check(message: Message) -> Remarks:
    if message.method == CANCELLED:
        yield "The client sends a cancellation instead of closing the stream"
