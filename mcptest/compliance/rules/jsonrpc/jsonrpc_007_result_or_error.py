"""A response has a result or an error, never both and never neither.

`"error": null` beside a result counts as both. An object with an id but without a method, a result or an error is a
response with neither.
"""

from mcptest.compliance.kit import Message, Remarks, objects, responses

ID = "JSONRPC-007"
ON = (responses, objects)


def applies(message: Message) -> bool:
    assert message.body is not None
    return "method" not in message.body and ("id" in message.body or message.kind == "response")


def check(message: Message) -> Remarks:
    assert message.body is not None
    has = [key for key in ("result", "error") if key in message.body]
    if len(has) == 2:
        yield "The response has both a result and an error"
    elif not has:
        yield "The response has neither a result nor an error"
