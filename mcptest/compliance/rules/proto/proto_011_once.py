"""A session is initialised once.

A client may try again after a refusal. Over HTTP one recording may hold several sessions, so that a second handshake
remains open there.
"""

from mcptest.compliance.kit import CLIENT, Context, Inconclusive, Message, Remarks, remark, requests

ID = "PROTO-011"
ON = requests("initialize").of(CLIENT)


def check(message: Message, context: Context) -> Remarks:
    if message.known.negotiated is not None:
        if context.history.transport != "stdio":
            raise Inconclusive("this may be another session")
        yield remark(f"The session had agreed on {message.known.negotiated[:40]!r} before", "/method")
