"""Authorization and token requests name the server that the token is for, as `resource`.

It is the `resource` of the protected resource's metadata, or the server's own address or a part of it: the same origin,
and a path that the endpoint's path begins with. Grants without a user are left alone.
"""

from mcptest.compliance.kit import Context, HttpExchange, Inconclusive, Remarks
from mcptest.compliance.rules.auth._flow import authorizations, document, first, flow_of, parameter, parts, tokens

ID = "AUTH-015"
ON = (authorizations._replace(noun="requests"), tokens)


def applies(exchange: HttpExchange) -> bool:
    return exchange.verb == "GET" or first(exchange.form, "grant_type") in ("authorization_code", "refresh_token")


def check(exchange: HttpExchange, context: Context) -> Remarks:
    named = parameter(exchange, "resource")
    if not named:
        yield "There is no resource parameter"
        return
    if "#" in named:
        yield f"The resource {named[:200]!r} has a fragment"
        return
    if "://" not in named:
        yield f"The resource {named[:200]!r} has no scheme"
        return
    flow = flow_of(context.history)
    known = {str(document(one).get("resource")).rstrip("/") for one in flow.resources if document(one).get("resource")}
    if named.rstrip("/") in known:
        return
    endpoints = [parts(one.url) for one in flow.challenges] + [parts(one) for one in known]
    if not endpoints:
        raise Inconclusive("the capture does not show what the server is called")
    wanted = parts(named)
    for origin, path in endpoints:
        if origin == wanted.origin and (path + "/").startswith(wanted.path + "/"):
            return
    yield f"The resource {named[:200]!r} is not the server, which is {''.join(endpoints[0])[:200]!r}"
