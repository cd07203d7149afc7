"""On the stream of a request is what belongs to the request.

`expect.requests`: the server may send requests of its own there, and what changed meanwhile is only mentioned.
Otherwise those break the rule; a stream of `subscriptions/listen` is made for changes. Progress belongs to the request
that gave its token; what belongs to a task may come on any stream.
"""

from mcptest.compliance.kit import Context, Message, Remarks, SseEvent, info, remark, sse_events

ID = "TRANSPORT-HTTP-008"
ON = sse_events()
EXPECT = {"requests"}
_CHANGES = {
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
}
_TASK = "io.modelcontextprotocol/related-task"


def applies(event: SseEvent) -> bool:
    return event.http.verb == "POST" and any(message.kind in ("request", "notification") for message in event.messages)


def check(event: SseEvent, context: Context) -> Remarks:
    listens = any(message.method == "subscriptions/listen" for message in event.http.sent)
    for message in event.messages:
        yield from _judge(message, event, listens, context)


def _judge(message: Message, event: SseEvent, listens: bool, context: Context) -> Remarks:
    lenient = context.expect["requests"]
    if message.kind == "request" and not lenient:
        yield remark(f"The server sends a request, {str(message.method)[:80]}, on the stream of a request")
    elif message.method in _CHANGES and not listens:
        yield (info if lenient else remark)(f"{message.method} comes on the stream of a request")
    elif message.method == "notifications/progress" and message.about is not None and _TASK not in message.meta:
        about = message.about
        if any(one.meta.get("progressToken") == message.params.get("progressToken") for one in event.http.sent):
            return  # a client that uses a token twice
        if about.request.http is not event.http and (about.answer is None or not lenient):
            yield f"The progress is that of the {about.method} request in frame {about.request.seq}"
