"""Structural faults get the standard error codes.

What cannot be read as JSON is answered with -32700, an object that is no JSON-RPC message with -32600, and params that
do not have the shape of their method with -32602 (a tool's own arguments are judged elsewhere). Another code is
remarked on, and so is a server's silence, once the session has come to its end: a client that passes over what a server
prints is not judged, nor is a server that serves a request in spite of its params.
"""

from mcptest.compliance import shapes
from mcptest.compliance.kit import (
    CLIENT,
    Context,
    Exchange,
    Fault,
    History,
    Message,
    Remarks,
    refusals,
    remark,
    responses,
    sessions,
)
from mcptest.protocol import errors

ID = "JSONRPC-015"
ON = (responses._replace(noun="answers to faulty input"), refusals(), sessions)
# What may rightly be said before anybody looks at the params.
_BEFORE_PARAMS = errors.STATELESS | {errors.METHOD_NOT_FOUND}


def applies(subject: Message | Exchange | History) -> bool:
    if isinstance(subject, History):
        return bool(_unanswered(subject))
    if isinstance(subject, Message):
        return subject.fault is not None and subject.fault.code is not None and type(subject.error.get("code")) is int
    if subject.method == "initialize" or subject.code in _BEFORE_PARAMS or subject.code is None:
        return False
    return _misshapen(subject)


def check(subject: Message | Exchange | History, context: Context) -> Remarks:
    if isinstance(subject, History):
        context.rely_on_end()
        for fault in _unanswered(subject):
            what = "JSON" if fault.code == errors.PARSE_ERROR else "a JSON-RPC message"
            yield f"The server did not answer the line in frame {fault.seq}, which is not {what}, with {fault.code}"
        return
    if isinstance(subject, Message):
        assert subject.fault is not None
        wanted, code = subject.fault.code, subject.error["code"]
        what = f"what the other side sent in frame {subject.fault.seq}"
    else:
        wanted, code = errors.INVALID_PARAMS, subject.code
        what = f"params that are not those of {subject.method}"
    if code != wanted:
        yield remark(f"The error for {what} has the code {code}, not {wanted}", "/error/code")


def _misshapen(exchange: Exchange) -> bool:
    request = exchange.request
    assert request.body is not None
    params = request.body.get("params")
    return bool(shapes.problems(request.revision, request.sender, request.name, "request", params))


def _unanswered(history: History) -> list[Fault]:
    """What the client sent that the server should have complained about."""
    return [fault for fault in history.faults[CLIENT] if fault.code is not None]
