"""A result is a JSON object.

Null, arrays and scalars are no results, and neither does an empty answer need one: it is `{}`.
"""

from mcptest.compliance.kit import Message, Remarks, a, remark, responses

ID = "JSONRPC-012"
ON = responses._replace(noun="results")


def applies(message: Message) -> bool:
    return message.body is not None and "result" in message.body


def check(message: Message) -> Remarks:
    assert message.body is not None
    result = message.body["result"]
    if type(result) is not dict:
        yield remark(f"result is {a(result)}, not an object", "/result")
