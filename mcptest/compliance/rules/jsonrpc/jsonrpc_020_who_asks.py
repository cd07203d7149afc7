"""Only the client asks, and only the server answers.

Since 2026-07-28 a server sends no requests; what it needs from the client it asks for in a result.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Message, Remarks, calls, responses

ID = "JSONRPC-020"
ON = (calls._replace(noun="messages"), responses)


def check(message: Message) -> Remarks:
    if message.sender == SERVER and message.kind == "request":
        yield f"The server sent a request, {message.method}"
    elif message.sender == CLIENT and message.kind == "response":
        yield "The client sent a response"
