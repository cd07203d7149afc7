"""Who asks for a prompt names it, and gives its arguments as strings.

`name` is a string and `arguments`, where it is there, an object of strings.
"""

from mcptest.compliance.kit import CLIENT, Message, Remarks, a, pointer, remark, requests

ID = "PROMPT-005"
ON = requests("prompts/get").of(CLIENT)


def check(message: Message) -> Remarks:
    params = message.params
    if "name" not in params:
        yield remark("The request names no prompt", "/params" if params else "")
    elif type(params["name"]) is not str:
        yield remark(f"name is {a(params['name'])}, not a string", "/params/name")
    arguments = params.get("arguments", {})
    if type(arguments) is not dict:
        yield remark(f"arguments is {a(arguments)}, not an object", "/params/arguments")
        return
    for key, value in arguments.items():
        if type(value) is not str:
            text = f"The argument {key[:80]!r} is {a(value)}, not a string"
            yield remark(text, pointer("params", "arguments", key))
