"""Each message is one thing: a request, a notification, a result or an error.

An object with a method and a result or error is two; one with none of the three is nothing. A result beside an error is
judged by JSONRPC-007.
"""

from mcptest.compliance.kit import Message, Remarks, messages

ID = "JSONRPC-024"
ON = messages


def check(message: Message) -> Remarks:
    body = message.body
    assert body is not None
    if "method" in body:
        for key in ("result", "error"):
            if key in body:
                yield f"The message has a method and {key}"
    elif "result" not in body and "error" not in body:
        yield "The message has neither a method nor a result nor an error"
