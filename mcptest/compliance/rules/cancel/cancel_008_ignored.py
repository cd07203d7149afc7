"""A cancellation of an unknown or finished request is ignored.

An error that comes soon after it, without an id or with the one that was named, is taken for an answer to it.
"""

from collections import deque

from mcptest.compliance.kit import NO_ID, OTHER, Context, Id, Message, Remarks, later, remark, responses
from mcptest.compliance.rules.cancel._ids import CANCELLATIONS, request_id

ID = "CANCEL-008"
ON = (CANCELLATIONS._replace(noun="idle cancellations"), responses)
_MOST = 16


class MEMORY(deque[tuple[Message, Id | None]]):
    """The last cancellations that there was nothing to cancel for."""

    def __init__(self) -> None:
        super().__init__(maxlen=_MOST)


def applies(message: Message, context: Context) -> bool:
    if message.kind == "notification":
        if _idle(message, context):
            context.memory.append((message, request_id(message)))
            return True
        return False
    return _provoked(message, context) is not None


def check(message: Message, context: Context) -> Remarks:
    if message.kind == "response":
        cancelled = _provoked(message, context)
        assert cancelled is not None
        yield remark(f"The cancellation in frame {cancelled.seq} was answered with an error", "/error")


def _idle(message: Message, context: Context) -> bool:
    if message.about is not None:
        return message.about.answer is not None
    if context.history.incomplete_past:
        return False
    identity = request_id(message)
    return identity is None or identity not in context.history.asked[message.sender]


def _provoked(message: Message, context: Context) -> Message | None:
    if message.stray is None or message.fault is not None or not message.error:
        return None
    for cancelled, identity in context.memory:
        named = message.stray == NO_ID or message.id == identity
        if named and cancelled.sender == OTHER[message.sender] and not later(cancelled, message):
            found: Message = cancelled
            return found
    return None
