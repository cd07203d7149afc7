"""A client that did not declare `sampling.tools` refuses a request with tools.

Judged where a server sent some (SAMPLE-007) and the client did declare sampling.
"""

from mcptest.compliance.kit import CLIENT, Exchange, Remarks, answers
from mcptest.compliance.rules.sample._messages import METHOD

ID = "SAMPLE-008"
ON = answers(METHOD).of(CLIENT)._replace(noun="requests with undeclared tools")


def applies(exchange: Exchange) -> bool:
    declared = exchange.request.client_capabilities
    if declared is None or not declared.declares("sampling"):
        return False
    return bool(exchange.params.get("tools")) and not declared.declares("sampling", "tools")


def check(exchange: Exchange) -> Remarks:
    if not exchange.error:
        yield "The client answered a request with tools, which it did not declare, instead of refusing it"
