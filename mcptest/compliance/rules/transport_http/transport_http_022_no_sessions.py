"""There are no session ids in the stateless era.

A server that gives or repeats one is warned about where it serves the request as of this era, that is, where the body
and the header name the revision; elsewhere, and on the client's side, it is only mentioned.
"""

from mcptest.compliance.kit import CLIENT, SERVER, HttpExchange, Remarks, http_ends, info, warning
from mcptest.protocol import PROTOCOL_VERSION

ID = "TRANSPORT-HTTP-022"
ON = http_ends("POST")._replace(noun="POSTs")


def applies(exchange: HttpExchange) -> bool:
    return bool(exchange.sent) and exchange.status is not None


def check(exchange: HttpExchange) -> Remarks:
    if exchange.session_id is not None and not exchange.synthetic:
        yield info("The client sends a session id", by=CLIENT)
    if exchange.assigned is None:
        return
    named = exchange.sent[0].meta.get(PROTOCOL_VERSION)
    if exchange.ok and named is not None and named == exchange.header("mcp-protocol-version"):
        yield warning("The server gives a session id", by=SERVER)
    else:
        yield info(f"The server gives a session id, with the status {exchange.status}", by=SERVER)
