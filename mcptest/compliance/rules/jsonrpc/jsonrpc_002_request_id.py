"""A request's id is a string or a whole number.

Null, booleans, objects, arrays and numbers with a fraction are refused. A whole number that is written as `1.0` or
`1e2` is only warned about: many peers will give it back as `1`, which is not the same id any more.
"""

from mcptest.compliance.kit import Message, Remarks, requests, warning

ID = "JSONRPC-002"
ON = requests()


def check(message: Message) -> Remarks:
    assert message.id is not None
    kind, text = message.id
    if kind == "string":
        return
    if kind != "number":
        yield f"The id of the {message.method} request is {kind}, not a string or a whole number"
    elif not text.removeprefix("-").isdecimal():
        if float(text).is_integer():
            yield warning(f"The id {text[:40]} is a whole number written as one with a fraction", "/id")
        else:
            yield f"The id {text[:40]} has a fraction"
