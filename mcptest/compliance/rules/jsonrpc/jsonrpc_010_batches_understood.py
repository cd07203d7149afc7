"""A receiver understands batches.

Judged on each request that came in a proper batch (only requests and notifications, no `initialize`, after the
handshake): it must be answered, in an array or by itself. A batch that is refused as a whole, or whose requests stay
without an answer, was not understood.
"""

from mcptest.compliance.kit import (
    NO_ID,
    OTHER,
    Context,
    Exchange,
    Line,
    Message,
    Remarks,
    exchanges,
    lines,
    remark,
    responses,
)
from mcptest.protocol import errors

ID = "JSONRPC-010"
ON = exchanges()._replace(noun="requests in batches")
WATCH = (lines, responses)
_REFUSED = (errors.PARSE_ERROR, errors.INVALID_REQUEST)


class MEMORY:
    def __init__(self) -> None:
        self.proper: set[int] = set()  # frames of batches that had to be understood
        self.refused: dict[int, Message] = {}  # those that got an error as a whole


def watch(subject: Line | Message, context: Context) -> None:
    memory = context.memory
    if isinstance(subject, Line):
        if subject.array and subject.known.negotiated is not None and subject.messages:
            kinds = {message.kind for message in subject.messages}
            opening = any(message.method == "initialize" for message in subject.messages)
            if kinds <= {"request", "notification"} and not opening:
                memory.proper.add(subject.seq)
    elif subject.stray == NO_ID and subject.fault is not None and subject.error.get("code") in _REFUSED:
        memory.refused[subject.fault.seq] = subject


def applies(exchange: Exchange, context: Context) -> bool:
    return exchange.request.seq in context.memory.proper and exchange.cancelled is None


def check(exchange: Exchange, context: Context) -> Remarks:
    request = exchange.request
    if exchange.answer is not None:
        if exchange.code in _REFUSED:
            yield f"The {request.method} request in a batch was refused with {exchange.code}"
        return
    refusal = context.memory.refused.get(request.seq)
    if refusal is not None:
        yield remark(f"The whole batch was refused with {refusal.error['code']}", of=refusal)
    elif context.unanswered(exchange):
        yield f"The {OTHER[request.sender]} did not answer the {request.method} request in a batch"
