"""The address that MCP is spoken on takes POST.

Judged are addresses where a POST was served before.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_responses

ID = "TRANSPORT-HTTP-053"
ON = WATCH = http_responses("POST")
MEMORY = set[str]


def watch(exchange: HttpExchange, context: Context) -> None:
    if exchange.ok and exchange.sent and len(context.memory) < 100:
        context.memory.add(exchange.path)


def applies(exchange: HttpExchange, context: Context) -> bool:
    return bool(exchange.sent) and exchange.path in context.memory


def check(exchange: HttpExchange) -> Remarks:
    if exchange.status in (405, 501):
        yield f"The POST is answered with {exchange.status}"
