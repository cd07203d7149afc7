"""A cancellation names a request that its sender sent.

The JSON type counts: `"1"` is not `1`. Since 2026-07-28 a server has no requests of its own, and what it may cancel is
CANCEL-006.
"""

from mcptest.compliance.kit import Context, Id, Message, Remarks, remark
from mcptest.compliance.rules.cancel._ids import CANCELLATIONS, request_id

ID = "CANCEL-001"
ON = CANCELLATIONS
_TWIN = {"string": "number", "number": "string"}


def check(message: Message, context: Context) -> Remarks:
    identity = request_id(message)
    if identity is None:
        fault = "is neither a string nor a number" if "requestId" in message.params else "is missing"
        yield remark(f"requestId {fault}", "/params/requestId")
    elif message.about is None and identity not in context.history.asked[message.sender]:
        context.rely_on_past()
        kind, text = identity
        twin = Id(_TWIN[kind], text) in context.history.asked[message.sender]
        hint = f"; it used it as a {_TWIN[kind]}, here it is a {kind}" if twin else ""
        yield remark(f"The {message.sender} sent no request with the id {text[:40]!r}{hint}", "/params/requestId")
