"""An unknown method is answered with 404, and -32601 in the body.

Judged is the status of each such error. Where the server has given results for the method before, or serves what the
method belongs to, the error speaks of something else.
"""

from mcptest.compliance.kit import CLIENT, Context, Exchange, Remarks, answers, modern_server
from mcptest.protocol import errors

ID = "TRANSPORT-HTTP-033"
ON = WATCH = answers()
PROVIDED = modern_server
MEMORY = set[str]
_NAMED = {"tools/call": "tools", "prompts/get": "prompts", "resources/read": "resources"}


def watch(exchange: Exchange, context: Context) -> None:
    if exchange.code is None and not exchange.error and len(context.memory) < 1000:
        context.memory.add(exchange.method)


def applies(exchange: Exchange, context: Context) -> bool:
    if exchange.code != errors.METHOD_NOT_FOUND or exchange.asker != CLIENT or exchange.request.http is None:
        return False
    declared = exchange.request.server_capabilities
    feature = _NAMED.get(exchange.method)
    served = feature is not None and (declared is None or declared.declares(feature))
    return exchange.method not in context.memory and not served


def check(exchange: Exchange) -> Remarks:
    http = exchange.place.http
    if http is not None and http.status != 404:
        yield f"The unknown method {exchange.method[:80]!r} is answered with the status {http.status}, not with 404"
