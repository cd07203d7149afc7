"""The arguments that a client has chosen already are a map of strings.

They stand in `context.arguments`, to complete the next argument by.
"""

from mcptest.compliance.kit import CLIENT, Message, Remarks, a, pointer, remark, requests

ID = "COMPLETE-005"
ON = requests("completion/complete").of(CLIENT)._replace(noun="requests with a context")


def applies(message: Message) -> bool:
    return "context" in message.params


def check(message: Message) -> Remarks:
    context = message.params["context"]
    if type(context) is not dict:
        yield remark(f"context is {a(context)}, not an object", "/params/context")
        return
    chosen = context.get("arguments", {})
    if type(chosen) is not dict:
        yield remark(f"arguments is {a(chosen)}, not an object", "/params/context/arguments")
        return
    for key, value in chosen.items():
        if type(value) is not str:
            text = f"The argument {key[:80]!r} is {a(value)}, not a string"
            yield remark(text, pointer("params", "context", "arguments", key))
