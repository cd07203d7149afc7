"""A response quotes the id of a request that the other side sent.

The JSON type counts: `"1"` does not answer `1`. An error without an id is judged by JSONRPC-013, and one that answers
something which was no proper request is nobody's fault here. If the capture does not have all of the session, an
answer to nothing proves nothing.
"""

from mcptest.compliance.kit import NO_ID, OTHER, UNASKED, Context, Id, Message, Remarks, remark, responses

ID = "JSONRPC-005"
ON = responses
_TWIN = {"string": "number", "number": "string"}


def applies(message: Message) -> bool:
    assert message.body is not None
    if message.stray == NO_ID:
        return "error" not in message.body
    return message.fault is None


def check(message: Message, context: Context) -> Remarks:
    if message.stray == NO_ID:
        yield "A result without an id answers nothing"
    elif message.stray == UNASKED:
        context.rely_on_past()
        assert message.id is not None
        kind, text = message.id
        asker = OTHER[message.sender]
        twin = kind in _TWIN and Id(_TWIN[kind], text) in context.history.asked[asker]
        hint = f"; the {asker} used it as a {_TWIN[kind]}, here it is a {kind}" if twin else ""
        yield remark(f"The {asker} sent no request with the id {text[:40]!r}{hint}", "/id")
