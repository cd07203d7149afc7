"""A client that has found a server to be of the older era does not ask it again.

Judged on each `server/discover`: one that follows a discovery which failed and a handshake that did not is one too
many. With a server that can be discovered, asking again is how a client learns of changes.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Message, Remarks, refusals, remark, requests
from mcptest.protocol import errors

ID = "PROTO-048"
ON = requests("server/discover").of(CLIENT)
WATCH = refusals("server/discover").of(SERVER)
MEMORY = list[int]  # frames of failed discoveries


def watch(exchange: Exchange, context: Context) -> None:
    if exchange.code not in errors.STATELESS and not exchange.synthetic and not context.memory:
        context.memory.append(exchange.place.seq)


def check(message: Message, context: Context) -> Remarks:
    if context.memory and message.known.negotiated is not None:
        yield remark(
            f"The client asks server/discover again, which failed in frame {context.memory[0]} before its handshake",
            "/method",
        )
