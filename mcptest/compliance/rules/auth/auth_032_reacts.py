"""A client understands a 401: it discovers, refreshes, changes its credential or stops.

What it does not do is to send the same request with the same credential over and over: five times within a minute, with
no other step in between.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_ends, http_requests

ID = "AUTH-032"
ON = http_ends("POST", "GET", "DELETE")
WATCH = http_requests()
MEMORY = dict
_MOST, _WITHIN = 5, 60_000_000_000


def watch(exchange: HttpExchange, context: Context) -> None:
    if not exchange.mcp:
        context.memory.clear()


def applies(exchange: HttpExchange) -> bool:
    return exchange.mcp and exchange.status == 401


def check(exchange: HttpExchange, context: Context) -> Remarks:
    what = exchange.verb, tuple(one.method for one in exchange.sent), exchange.header("authorization")
    times = [when for when in context.memory.get(what, ()) if exchange.mono - when <= _WITHIN] + [exchange.mono]
    context.memory[what] = times[-_MOST:]
    if len(times) == _MOST:
        yield f"The same request came {_MOST} times within a minute with the same credential, and was refused each time"
