"""Metadata whose issuer is not the one it was asked for is not used.

The issuer that was asked for follows from the document's address.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import address, document, flow_of, issuer_of, named, server_documents

ID = "AUTH-018"
ON = server_documents


def applies(exchange: HttpExchange) -> bool:
    return type(document(exchange).get("issuer")) is str


def check(exchange: HttpExchange, context: Context) -> Remarks:
    asked, told = issuer_of(exchange), document(exchange)["issuer"]
    if address(asked) == address(told):
        return
    for use in flow_of(context.history).uses:
        if use.seq > exchange.seq and address(use.url) in named(exchange):
            yield f"The issuer is {told[:200]!r}, not {asked[:200]!r}, and the client goes on to {use.path[:80]}"
            return
