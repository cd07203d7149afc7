"""An error lacks an id only if the request's id could not be read.

On stdio an error without an id is explained by anything unreadable that came before it. If nothing of the kind came and
exactly one request was waiting, the error was that request's, provided that it never gets another answer. All else
remains open. Over HTTP it is about the POST that it answers: if that is a request, the error has to have its id where
it shows that the request was read, by a status of success or by its code.

Since 2025-11-25 the id of such an error is left out; `"id": null`, which JSON-RPC asks for, is warned about then.
`expect.null_id` is `accepted` or `discouraged`.
"""

from mcptest.compliance.kit import (
    NO_ID,
    OTHER,
    OVER_HTTP,
    Context,
    Exchange,
    HttpExchange,
    Inconclusive,
    Message,
    Remarks,
    exchanges,
    remark,
    responses,
    warning,
)
from mcptest.protocol import errors

ID = "JSONRPC-013"
ON = (responses._replace(noun="errors without an id"), exchanges())
EXPECT = {"null_id"}
_AFTER_READING = {
    errors.METHOD_NOT_FOUND,
    errors.INVALID_PARAMS,
    errors.MISSING_CLIENT_CAPABILITY,
    errors.UNSUPPORTED_PROTOCOL_VERSION,
}


class MEMORY:
    def __init__(self) -> None:
        self.suspected: dict[int, Message] = {}  # the error, by the frame of the only request it could be about


def applies(subject: Message | Exchange, context: Context) -> bool:
    if isinstance(subject, Exchange):
        return subject.request.seq in context.memory.suspected
    if subject.stray != NO_ID or subject.body is None or "error" not in subject.body or "result" in subject.body:
        return False
    if subject.http is not None or context.history.transport in OVER_HTTP:
        return True
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
    if subject.http is not None:
        yield from _over_http(subject, subject.http)
    elif subject.fault is None:
        raise Inconclusive("nothing in the capture tells what the error is about")


def _over_http(error: Message, http: HttpExchange) -> Remarks:
    if http.verb != "POST":
        raise Inconclusive("nothing in the capture tells what the error is about")
    asked = http.sent[0] if len(http.sent) == 1 and http.sent[0].kind == "request" else None
    if asked is None or asked.batch is not None or asked.id is None or asked.id.type not in ("string", "number"):
        return
    if http.ok or error.error.get("code") in _AFTER_READING:
        yield f"The error has no id although the {asked.name} request had one"
