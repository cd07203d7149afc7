"""A response quotes the id of a request that the other side sent.

The JSON type counts: `"1"` does not answer `1`. An error without an id is judged by JSONRPC-013, and one that answers
something which was no proper request is nobody's fault here. If the capture does not have all of the session, an
answer to nothing proves nothing. Over Streamable HTTP a server's response comes in the exchange of its request, or on a
stream that a GET has opened, which TRANSPORT-HTTP-011 judges; in the exchange of another request it answers nothing.
"""

from mcptest.compliance.kit import NO_ID, OTHER, SERVER, UNASKED, Context, Id, Message, Remarks, remark, responses

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
    elif _is_elsewhere(message, context):
        yield remark(f"The response to {message.name[:80]} comes in the exchange of another request", "/id")
    elif message.stray == UNASKED:
        context.rely_on_past()
        assert message.id is not None
        kind, text = message.id
        asker = OTHER[message.sender]
        twin = kind in _TWIN and Id(_TWIN[kind], text) in context.history.asked[asker]
        hint = f"; the {asker} used it as a {_TWIN[kind]}, here it is a {kind}" if twin else ""
        yield remark(f"The {asker} sent no request with the id {text[:40]!r}{hint}", "/id")


def _is_elsewhere(message: Message, context: Context) -> bool:
    http = message.http
    if http is None or message.answers is None or message.sender != SERVER or http.verb != "POST":
        return False
    own = message.answers.request.http
    return context.history.transport == "streamable-http" and own is not None and own is not http
