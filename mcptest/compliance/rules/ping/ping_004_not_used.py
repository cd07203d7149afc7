"""Nobody pings in the stateless era.

The method was removed in 2026-07-28. How a server answers is not judged here, and a ping from the server is a request,
which JSONRPC-020 judges.
"""

from mcptest.compliance.kit import CLIENT, Context, Message, Remarks, remark, requests
from mcptest.protocol import PROTOCOL_VERSION

ID = "PING-004"
ON = requests().of(CLIENT)


def applies(message: Message) -> bool:
    return message.modern


def check(message: Message, context: Context) -> Remarks:
    if message.method == "ping":
        if PROTOCOL_VERSION not in message.meta:
            # A handshake that was not captured may have made it a ping of an older revision.
            context.rely_on_past()
        yield remark("The client sent a ping, which was removed in 2026-07-28", "/method")
