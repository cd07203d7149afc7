"""A message is sent on one stream only.

Judged are requests of the server and responses, which their ids tell apart, on streams that are open at the same time.
Warned about are requests without parameters, which may be two, and that a list or a resource changed, said on two
streams within a second. What is delivered again on a
stream that was resumed is no second message. Without a session's name two clients may be mixed up: it remains open.
"""

from mcptest.compliance.kit import RACE, Context, HttpExchange, Inconclusive, Remarks, SseEvent, sse_events, warning
from mcptest.compliance.rules.transport_http._streams import bodies, is_response

ID = "TRANSPORT-HTTP-013"
ON = sse_events()
_MOST = 10_000  # messages that are remembered, the latest ones
_CHANGED = ("/list_changed", "resources/updated")


class MEMORY:
    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], tuple[HttpExchange, int]] = {}  # what, and where and when it came


def applies(event: SseEvent) -> bool:
    return event.fields.data is not None and not event.http.last_event_id


def check(event: SseEvent, context: Context) -> Remarks:
    seen = context.memory.seen
    for body in bodies(event):
        method = body.get("method")
        if is_response(body):
            what = "response", repr(body.get("id"))
        elif "id" in body:
            what = str(method), repr(body)
        elif str(method).endswith(_CHANGED):
            what = "change", repr(body)
        else:
            continue
        before = seen.get(what)
        seen[what] = event.http, event.mono
        if len(seen) > _MOST:
            del seen[next(iter(seen))]
        if before is None or before[0] is event.http or before[0].ended:
            continue
        if what[0] == "response" and _asks(event.http, what[1]) and _asks(before[0], what[1]):
            continue  # the client has used the id twice
        if what[0] == "change":
            if event.mono - before[1] < RACE:
                yield warning(f"{method} comes on two streams at once")
        elif event.http.session_id is None and before[0].session_id is None:
            raise Inconclusive("the session has no name, so this may be of two clients")
        elif what[0] == "response" or body.get("params"):
            yield f"The {what[0][:80]} with the id {body.get('id')!r:.40} comes on two streams"
        else:  # a server that numbers each stream anew may mean two
            yield warning(f"A {what[0][:80]} request with the same id comes on two streams")


def _asks(exchange: HttpExchange, identity: str) -> bool:
    return any(
        message.kind == "request" and repr((message.body or {}).get("id")) == identity for message in exchange.sent
    )
