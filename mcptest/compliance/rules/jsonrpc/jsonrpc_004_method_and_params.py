"""`method` is a string, and `params`, if it is there, is an object.

JSON-RPC also knows positional parameters in an array; MCP does not.
"""

from mcptest.compliance.kit import Message, Remarks, a, calls, objects, remark

ID = "JSONRPC-004"
ON = (calls, objects)


def applies(message: Message) -> bool:
    return message.body is not None and "method" in message.body


def check(message: Message) -> Remarks:
    assert message.body is not None
    method = message.body["method"]
    if type(method) is not str:
        yield remark(f"method is {a(method)}, not a string", "/method")
    elif not method:
        yield remark("method is empty", "/method")
    if "params" in message.body and type(message.body["params"]) is not dict:
        yield remark(f"params is {a(message.body['params'])}, not an object", "/params")
