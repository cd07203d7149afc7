"""OpenID Connect discovery says which PKCE methods are supported.

Judged are documents of issuers that the protected resource names.
"""

from mcptest.compliance.kit import Context, HttpExchange, Inconclusive, Remarks
from mcptest.compliance.rules.auth._flow import OPENID, document, flow_of, parts, server_documents

ID = "AUTH-035"
ON = server_documents


def applies(exchange: HttpExchange, context: Context) -> bool:
    trusted = {parts(issuer).origin for issuer in flow_of(context.history).issuers}
    return OPENID in exchange.path and parts(exchange.url).origin in trusted


def check(exchange: HttpExchange) -> Remarks:
    if not exchange.whole_answer:
        raise Inconclusive("the document is not captured to its end")
    if not document(exchange).get("code_challenge_methods_supported"):
        yield "The OpenID configuration has no code_challenge_methods_supported"
