"""A client does not go on where the metadata does not say that PKCE is supported.

The sign is `code_challenge_methods_supported`; an authorization request to an endpoint of metadata without it is what
must not be.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import authorizations, document, flow_of

ID = "AUTH-014"
ON = authorizations


def applies(exchange: HttpExchange, context: Context) -> bool:
    return flow_of(context.history).metadata_for(exchange) is not None


def check(exchange: HttpExchange, context: Context) -> Remarks:
    flow = flow_of(context.history)
    for metadata in flow.servers:
        if metadata.seq < exchange.seq and document(metadata).get("code_challenge_methods_supported"):
            return
    yield "The metadata has no code_challenge_methods_supported, and the client asks for authorization all the same"
