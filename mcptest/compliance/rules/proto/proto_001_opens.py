"""The first request of a session is `initialize`.

Pings may come before it, and so may requests of the stateless era by which a client finds out what a server is.
Nothing is said of a capture that does not have the beginning.
"""

from mcptest.compliance.kit import CLIENT, Context, Message, Remarks, requests

ID = "PROTO-001"
ON = requests().of(CLIENT)._replace(noun="first requests")
MEMORY = list[int]


def applies(message: Message, context: Context) -> bool:
    if context.memory or message.modern or message.method == "ping":
        return False
    context.memory.append(message.seq)
    return message.method == "initialize" or message.known.requested is None


def check(message: Message, context: Context) -> Remarks:
    if message.method != "initialize":
        context.rely_on_past()
        yield f"The client's first request is {message.name[:80]}, not initialize"
