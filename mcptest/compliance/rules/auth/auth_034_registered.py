"""The redirect URI of an authorization request was registered.

The registration must be in the capture. On the client's own machine the port may be another.
"""

from urllib.parse import urlsplit

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import authorizations, first, flow_of, is_loopback

ID = "AUTH-034"
ON = authorizations


def applies(exchange: HttpExchange, context: Context) -> bool:
    return first(exchange.query, "redirect_uri") is not None and bool(_registered(exchange, context))


def check(exchange: HttpExchange, context: Context) -> Remarks:
    used = first(exchange.query, "redirect_uri") or ""
    known = _registered(exchange, context)
    if used not in known and not any(_same_but_port(used, one) for one in known):
        yield f"The redirect URI {used[:200]!r} was not registered"


def _registered(exchange: HttpExchange, context: Context) -> list[str]:
    client = first(exchange.query, "client_id")
    found: list[str] = []
    for one in flow_of(context.history).registrations:
        answer = one.answer_json if type(one.answer_json) is dict else {}
        if one.seq < exchange.seq and answer.get("client_id") == client:
            uris = answer.get("redirect_uris") or one.json["redirect_uris"]
            found += [uri for uri in uris if type(uri) is str] if type(uris) is list else []
    return found


def _same_but_port(used: str, known: str) -> bool:
    if not is_loopback(used) or not is_loopback(known):
        return False
    one, other = urlsplit(used), urlsplit(known)
    return (one.scheme, one.hostname, one.path, one.query) == (other.scheme, other.hostname, other.path, other.query)
