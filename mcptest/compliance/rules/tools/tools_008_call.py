"""A call names its tool, and its arguments are an object.

`name` is a string; `arguments` may be left out.
"""

from mcptest.compliance.kit import CLIENT, Message, Remarks, a, remark, requests

ID = "TOOLS-008"
ON = requests("tools/call").of(CLIENT)._replace(noun="calls")


def check(message: Message) -> Remarks:
    params = message.params
    if "name" not in params:
        yield remark("The call names no tool", "/params" if params else "")
    elif type(params["name"]) is not str:
        yield remark(f"name is {a(params['name'])}, not a string", "/params/name")
    if "arguments" in params and type(params["arguments"]) is not dict:
        yield remark(f"arguments is {a(params['arguments'])}, not an object", "/params/arguments")
