"""Every message says `"jsonrpc": "2.0"`.

Judged on every JSON object on a message channel, members of batches one by one. The member must be there, and be the
string `2.0`: the number 2.0 is something else.
"""

from mcptest.compliance.kit import Message, Remarks, json_type, messages

ID = "JSONRPC-001"
ON = messages


def check(message: Message) -> Remarks:
    assert message.body is not None
    version = message.body.get("jsonrpc")
    if version == "2.0":
        return
    if "jsonrpc" not in message.body:
        yield "The message has no jsonrpc member"
    else:
        said = repr(version)[:40] if type(version) is str else json_type(version)
        yield f'jsonrpc is {said}, not the string "2.0"'
