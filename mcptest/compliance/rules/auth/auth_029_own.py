"""A token is sent only to the resource that it was obtained for.

A token is followed from the answer that gave it. The server's metadata says which authorization servers it trusts; a
token of another one is not for it. A token that was asked for with another `resource` is warned about.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_requests, warning
from mcptest.compliance.rules.auth._flow import credential, document, first, flow_of, named, parts

ID = "AUTH-029"
ON = http_requests()
MEMORY = set[str]


def applies(exchange: HttpExchange, context: Context) -> bool:
    if not exchange.mcp or credential(exchange) is None:
        return False
    flow = flow_of(context.history)
    return bool(flow.issuers) and _origin_of(exchange, context) is not None


def check(exchange: HttpExchange, context: Context) -> Remarks:
    flow, given = flow_of(context.history), _origin_of(exchange, context)
    sent = credential(exchange)
    if given is None or sent is None or sent[1] in context.memory:
        return
    trusted = {parts(issuer).origin for issuer in flow.issuers}
    by_metadata = {parts(url).origin for one in flow.servers if parts(one.url).origin in trusted for url in named(one)}
    context.memory.add(sent[1])
    if parts(given.url).origin not in trusted | by_metadata:
        yield f"The token comes from {given.host[:100]}, which the server's metadata does not list"
        return
    resource = first(given.form, "resource")
    if resource and parts(resource).origin != parts(exchange.url).origin and not _is_named(resource, context):
        yield warning(f"The token was asked for with the resource {resource[:200]!r}")


def _is_named(resource: str, context: Context) -> bool:
    known = {str(document(one).get("resource")).rstrip("/") for one in flow_of(context.history).resources}
    return resource.rstrip("/") in known


def _origin_of(exchange: HttpExchange, context: Context) -> HttpExchange | None:
    """The token request that this request's token came from."""
    sent = credential(exchange)
    for one in reversed(flow_of(context.history).tokens):
        if sent is not None and one.seq < exchange.seq and document(one).get("access_token") == sent[1]:
            return one
    return None
