"""A client that listens says what for.

`notifications` is an object; `expect.flags` in it are booleans, `expect.lists` arrays of strings. What else stands
there may belong to an extension, and is only mentioned.
"""

from mcptest.compliance.kit import CLIENT, Context, Message, Remarks, a, info, pointer, remark, requests
from mcptest.protocol.methods import LISTEN

ID = "SUB-001"
ON = requests(LISTEN).of(CLIENT)
EXPECT = {"flags", "lists"}


def check(message: Message, context: Context) -> Remarks:
    wanted = message.params.get("notifications")
    if type(wanted) is not dict:
        said = f"notifications is {a(wanted)}, not an object" if "notifications" in message.params else None
        yield remark(said or "The request does not say what to listen for", "/params")
        return
    for key, value in wanted.items():
        at = pointer("params", "notifications", key)
        if key in context.expect["flags"]:
            if type(value) is not bool:
                yield remark(f"{key} is {a(value)}, not a boolean", at)
        elif key in context.expect["lists"]:
            if type(value) is not list or any(type(one) is not str for one in value):
                yield remark(f"{key} is not an array of strings", at)
        else:
            yield info(f"{key[:80]!r} is nothing that {context.revision} lets a client listen for", at)
