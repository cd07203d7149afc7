"""An authorization server's endpoints are HTTPS; redirect URIs are HTTPS or on the client's own machine.

Endpoints on loopback are mentioned: they are somebody's experiment. A redirect URI of a private scheme is what the
words forbid, although RFC 8252 permits it for native apps.
"""

from mcptest.compliance.kit import CLIENT, SERVER, HttpExchange, Remarks, info, pointer, remark
from mcptest.compliance.rules.auth._flow import (
    authorizations,
    document,
    first,
    is_loopback,
    registrations,
    server_documents,
)

ID = "AUTH-016"
ON = (server_documents._replace(noun="documents and requests"), registrations, authorizations)
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint")


def check(exchange: HttpExchange) -> Remarks:
    if exchange.verb == "POST":
        for number, one in enumerate(exchange.json["redirect_uris"]):
            yield from _redirect(one, pointer("redirect_uris", number))
    elif "response_type" in exchange.query:
        yield from _redirect(first(exchange.query, "redirect_uri"), "")
    else:
        for name in _ENDPOINTS:
            url = document(exchange).get(name)
            if type(url) is str and url.lower().startswith("http://"):
                say = info if is_loopback(url) else remark
                yield say(f"{name} is {url[:200]!r}, which is not HTTPS", "/" + name, by=SERVER)


def _redirect(uri: object, at: str) -> Remarks:
    if type(uri) is not str or uri.lower().startswith("https://"):
        return
    if uri.lower().startswith("http://"):
        if not is_loopback(uri):
            yield remark(f"The redirect URI {uri[:200]!r} is neither HTTPS nor local", at, by=CLIENT)
        return
    text = f"The redirect URI {uri[:200]!r} has a scheme of its own (RFC 8252 permits that, MCP's words do not)"
    yield remark(text, at, by=CLIENT)
