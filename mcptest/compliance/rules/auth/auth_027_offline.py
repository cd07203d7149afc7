"""`offline_access` is not asked for by challenges, nor listed as a scope of the resource."""

from mcptest.compliance.kit import HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import challenge, document, resource_documents, scopes, unauthorized

ID = "AUTH-027"
ON = (unauthorized._replace(noun="challenges and documents"), resource_documents)


def check(exchange: HttpExchange) -> Remarks:
    if "offline_access" in scopes(challenge(exchange).get("scope")):
        yield "The challenge asks for offline_access"
    if "offline_access" in (document(exchange).get("scopes_supported") or ()):
        yield "The resource lists offline_access in scopes_supported"
