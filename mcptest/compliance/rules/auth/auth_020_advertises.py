"""An authorization server that sends `iss` says so in its metadata; it should send it."""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, warning
from mcptest.compliance.rules.auth._flow import authorizations, callback, document, flow_of

ID = "AUTH-020"
ON = authorizations._replace(noun="authorization responses")


def applies(exchange: HttpExchange, context: Context) -> bool:
    return callback(exchange) is not None and flow_of(context.history).metadata_for(exchange) is not None


def check(exchange: HttpExchange, context: Context) -> Remarks:
    given, metadata = callback(exchange), flow_of(context.history).metadata_for(exchange)
    assert given is not None
    assert metadata is not None
    if given.iss is None:
        yield warning("The authorization response has no iss")
    elif document(metadata).get("authorization_response_iss_parameter_supported") is not True:
        yield "The response has iss, and the metadata does not say authorization_response_iss_parameter_supported"
