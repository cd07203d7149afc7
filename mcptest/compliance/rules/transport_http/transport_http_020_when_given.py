"""A session's id is given with the InitializeResult.

Only mentioned: an id that comes first with another response, one that changes, and one on an error (once).
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_responses, info
from mcptest.compliance.rules.transport_http._heads import opens

ID = "TRANSPORT-HTTP-020"
ON = http_responses()._replace(noun="session ids")


class MEMORY:
    def __init__(self) -> None:
        self.id: str | None = None
        self.error_told = False


def applies(exchange: HttpExchange) -> bool:
    return exchange.mcp and exchange.assigned is not None


def check(exchange: HttpExchange, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    if not exchange.ok:
        if not memory.error_told:
            memory.error_told = True
            yield info(f"A session id comes with the status {exchange.status}")
        return
    before, memory.id = memory.id, exchange.assigned
    if opens(exchange):
        return
    if before is None and exchange.session_id is None:
        yield info("A session id comes with another response than that to initialize")
    elif exchange.assigned not in (before, exchange.session_id):
        yield info("The session id changes")
