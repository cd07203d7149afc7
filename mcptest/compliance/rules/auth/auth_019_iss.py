"""`iss` of the authorization response is compared with the issuer, and missed where it was promised.

That shows where it should have failed: the response's `iss` is another, or is missing although the metadata says that
it is sent, and the code is redeemed.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import authorizations, callback, document, flow_of, redeemed

ID = "AUTH-019"
ON = authorizations


def applies(exchange: HttpExchange, context: Context) -> bool:
    return callback(exchange) is not None and flow_of(context.history).metadata_for(exchange) is not None


def check(exchange: HttpExchange, context: Context) -> Remarks:
    flow = flow_of(context.history)
    given, metadata = callback(exchange), flow.metadata_for(exchange)
    assert given is not None
    assert metadata is not None
    known = document(metadata)
    if redeemed(flow, exchange, given) is None:
        return
    if given.iss is None:
        if known.get("authorization_response_iss_parameter_supported") is True:
            yield "The metadata promises iss, the response has none, and its code is redeemed"
    elif given.iss != known.get("issuer"):
        yield f"The response's iss is {given.iss[:200]!r}, not {str(known.get('issuer'))[:200]!r}; its code is redeemed"
