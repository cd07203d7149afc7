"""A client comes back no sooner than the server said.

From the end of a connection on which a `retry` came to the GET that goes on with its stream. `expect.tolerance` and
`expect.least_ms` are how much sooner it may be, as a part of the time and in milliseconds.
"""

from mcptest.compliance.kit import CLIENT, Context, HttpExchange, Remarks, SseEvent, http_requests, sse_events
from mcptest.compliance.rules.transport_http._streams import Streams

ID = "TRANSPORT-HTTP-041"
ON = http_requests("GET")
WATCH = sse_events()
MEMORY = Streams
EXPECT = {"tolerance", "least_ms"}


def watch(event: SseEvent, context: Context) -> None:
    context.memory.note(event)


def applies(exchange: HttpExchange, context: Context) -> bool:
    before = context.memory.carried.get(exchange.last_event_id or "")
    if before is None or before.ended_mono is None or before.by == CLIENT or before.last_id != exchange.last_event_id:
        return False
    return (before.retry or "").isdecimal() and len(before.retry) < 10


def check(exchange: HttpExchange, context: Context) -> Remarks:
    before = context.memory.carried[exchange.last_event_id or ""]
    wanted = int(before.retry)
    waited = (exchange.mono - before.ended_mono) / 1e6
    if waited < wanted - max(wanted * context.expect["tolerance"], context.expect["least_ms"]):
        yield f"The client came back after {waited:.0f} ms, the server had said {wanted}"
