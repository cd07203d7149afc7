"""What a server says comes in `message` events, one message in each.

Broken by a message event without a message, by a message in an event of another name, and by an answer in the body of
the response to a POST. Other events, such as those that hold a connection open, are nobody's business.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, SseEvent, http_ends, sse_events

ID = "TRANSPORT-SSE-003"
ON = (sse_events(), http_ends("POST"))


def applies(subject: SseEvent | HttpExchange) -> bool:
    if isinstance(subject, HttpExchange):
        return bool(subject.answers)
    says = bool((subject.fields.data or b"").strip()) and not subject.partial and subject.repeats is None
    return says and subject.http.verb == "GET"


def check(subject: SseEvent | HttpExchange) -> Remarks:
    if isinstance(subject, HttpExchange):
        yield "The answer comes in the response to the POST, not on the stream"
        return
    data = subject.fields.data or b""
    if subject.name != "message":
        if b'"jsonrpc"' in data and subject.name != "endpoint":
            yield f"A message comes in an event called {subject.name[:40]!r}"
    elif not subject.messages:
        yield f"A message event holds no message: {data[:40]!r}"
