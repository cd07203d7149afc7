"""An error lacks an id only if the request's id could not be read.

On stdio an error without an id is explained by anything unreadable that came before it. If nothing of the kind came and
exactly one request was waiting, the error was that request's, provided that it never gets another answer. All else
remains open.

Since 2025-11-25 the id of such an error is left out; `"id": null`, which JSON-RPC asks for, is warned about then.
`expect.null_id` is `accepted` or `discouraged`.
"""

from mcptest.compliance.kit import (
    NO_ID,
    OTHER,
    Context,
    Exchange,
    Inconclusive,
    Message,
    Remarks,
    exchanges,
    remark,
    responses,
    warning,
)

ID = "JSONRPC-013"
ON = (responses._replace(noun="errors without an id"), exchanges())
EXPECT = {"null_id"}


class MEMORY:
    def __init__(self) -> None:
        self.suspected: dict[int, Message] = {}  # the error, by the frame of the only request it could be about


def applies(subject: Message | Exchange, context: Context) -> bool:
    if isinstance(subject, Exchange):
        return subject.request.seq in context.memory.suspected
    if subject.stray != NO_ID or subject.body is None or "error" not in subject.body or "result" in subject.body:
        return False
    if subject.fault is None:
        waiting = [found for found in context.history.in_flight(OTHER[subject.sender]) if found.cancelled is None]
        if len(waiting) == 1 and waiting[0].request.seq not in context.memory.suspected:
            # Whether that request is answered after all is seen when its exchange ends.
            context.memory.suspected[waiting[0].request.seq] = subject
            return False
    return True


def check(subject: Message | Exchange, context: Context) -> Remarks:
    if isinstance(subject, Exchange):
        error = context.memory.suspected.pop(subject.request.seq)
        if subject.answer is not None or subject.cancelled is not None:
            raise Inconclusive("nothing in the capture tells what the error is about")
        context.rely_on_past()
        context.rely_on_end()
        yield remark(f"The error has no id although the {subject.method} request had one", of=error)
        return
    if subject.id is not None and context.expect["null_id"] == "discouraged":
        yield warning("The error has an id that is null; it should have none", "/id")
    if subject.fault is None:
        raise Inconclusive("nothing in the capture tells what the error is about")
