"""A client id that is a URL is HTTPS and has a path, and its document says the same.

The document is the authorization server's to fetch; where the capture holds it, it repeats the client id and has a name
and redirect URIs.
"""

from urllib.parse import urlsplit

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import address, authorizations, document, first

ID = "AUTH-023"
ON = authorizations


def applies(exchange: HttpExchange) -> bool:
    return (first(exchange.query, "client_id") or "").lower().startswith(("http://", "https://"))


def check(exchange: HttpExchange, context: Context) -> Remarks:
    client = first(exchange.query, "client_id") or ""
    if not client.lower().startswith("https://"):
        yield f"The client id {client[:200]!r} is a URL, and not HTTPS"
    if urlsplit(client).path in ("", "/"):
        yield f"The client id {client[:200]!r} is a URL without a path"
    for one in context.history.aside:
        found = document(one)
        if one.verb == "GET" and address(one.url) == address(client) and found:
            if found.get("client_id") != client:
                yield f"The client's document says client_id {str(found.get('client_id'))[:200]!r}"
            missing = [name for name in ("client_name", "redirect_uris") if not found.get(name)]
            if missing:
                yield f"The client's document lacks {' and '.join(missing)}"
