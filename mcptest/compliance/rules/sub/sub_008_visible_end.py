"""A server that ends a subscription says so.

By the result of the request, or by cancelling it: the specification's pages differ, so either will do. An error after
the acknowledgement is warned about, and only mentioned once the client has closed the connection. What the client took
back itself is not judged. Over HTTP a stream that the server closes in good order, but without a result, is warned
about too.
"""

from mcptest.compliance.kit import (
    SERVER,
    Context,
    Exchange,
    HttpExchange,
    Message,
    Remarks,
    answers,
    http_ends,
    info,
    notifications,
    remark,
)
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.transport_http._mirrors import request_of
from mcptest.protocol.methods import CANCELLED, LISTEN

ID = "SUB-008"
ON = (
    answers(LISTEN).of(SERVER)._replace(noun="subscriptions that the server ended"),
    notifications(CANCELLED).of(SERVER),
    http_ends("POST"),
)
MEMORY, WATCH, watch = _listens.MEMORY, _listens.WATCH, _listens.watch


def applies(subject: Exchange | Message | HttpExchange, context: Context) -> bool:
    if isinstance(subject, HttpExchange):
        request = request_of(subject)
        listens = request is not None and request.modern and request.method == LISTEN and subject.streams
        return listens and subject.by == SERVER and subject.how == "whole" and not subject.answers
    if isinstance(subject, Message):
        return subject.about is not None and subject.about.method == LISTEN and subject.about.cancelled is subject
    listen = context.memory.of(subject.request)
    return subject.cancelled is None and listen is not None and (not subject.error or listen.acknowledged is not None)


def check(subject: Exchange | Message | HttpExchange, context: Context) -> Remarks:
    if isinstance(subject, HttpExchange):
        yield "The server closes the stream of a subscription without a result"
    elif isinstance(subject, Exchange) and subject.error:
        closed = context.history.event("eof", channel="stdin")
        say = remark if closed is None or subject.place.mono < closed.mono else info
        yield say(f"The subscription ends with the error {subject.code}, not with a result", "/error")
