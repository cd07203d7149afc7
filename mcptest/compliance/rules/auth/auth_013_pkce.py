"""Codes are protected by PKCE: a challenge with the authorization request, the verifier with the token request.

Only codes are judged, no other grant. Since 2025-11-25 the method is S256 wherever the authorization server can do it;
before, another method is warned about.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, info, warning
from mcptest.compliance.rules.auth._flow import authorizations, document, first, flow_of, tokens

ID = "AUTH-013"
ON = (authorizations._replace(noun="requests"), tokens)
EXPECT = {"s256"}


def applies(exchange: HttpExchange) -> bool:
    if exchange.verb == "POST":
        return first(exchange.form, "grant_type") == "authorization_code"
    return first(exchange.query, "response_type") == "code"


def check(exchange: HttpExchange, context: Context) -> Remarks:
    if exchange.verb == "POST":
        if not first(exchange.form, "code_verifier"):
            yield "The token request has no code_verifier"
        return
    if not first(exchange.query, "code_challenge"):
        yield "The authorization request has no code_challenge"
        return
    method = first(exchange.query, "code_challenge_method")
    if method == "S256":
        return
    text = f"The method of the code challenge is {(method or 'not given, and so plain')[:40]}, not S256"
    metadata = flow_of(context.history).metadata_for(exchange)
    listed = document(metadata).get("code_challenge_methods_supported") if metadata is not None else None
    if type(listed) is list and "S256" not in listed:
        yield info(f"{text}, which the authorization server does not list")
    else:
        yield text if context.expect["s256"] == "must" and type(listed) is list else warning(text)
