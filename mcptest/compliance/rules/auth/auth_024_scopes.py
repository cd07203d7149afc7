"""The first authorization asks for the scopes of the challenge, else for those the resource supports, else for none.

`offline_access` may be asked for where the authorization server offers it. Users may have configured other scopes, so
this is a warning wherever it applies.
"""

from collections.abc import Iterator

from mcptest.compliance.kit import Context, History, HttpExchange, Remarks, inside, sessions
from mcptest.compliance.rules.auth._flow import challenge, document, first, flow_of, scopes

ID = "AUTH-024"


def _first(history: History) -> Iterator[HttpExchange]:
    flow = flow_of(history)
    refused = next((one for one in flow.challenges if one.status == 401), None)
    if refused is not None:
        asked = next((one for one in flow.authorizations if one.seq > refused.seq), None)
        if asked is not None and not asked.synthetic:
            yield asked


ON = inside(sessions, _first, "authorization requests")


def check(exchange: HttpExchange, context: Context) -> Remarks:
    flow = flow_of(context.history)
    refused = next(one for one in reversed(flow.challenges) if one.status == 401 and one.seq < exchange.seq)
    challenged = scopes(challenge(refused).get("scope"))
    supported = {
        scope for one in flow.resources for scope in document(one).get("scopes_supported") or () if type(scope) is str
    }
    offered = {scope for one in flow.servers for scope in document(one).get("scopes_supported") or ()}
    asked = scopes(first(exchange.query, "scope")) - ({"offline_access"} & offered)
    missing = challenged - asked
    if missing:
        yield f"The challenge names {' '.join(sorted(missing))[:200]!r}, which is not asked for"
    beyond = asked - (challenged or supported)
    if beyond:
        where = "the challenge" if challenged else "the resource's scopes_supported"
        yield f"{' '.join(sorted(beyond))[:200]!r} is asked for, which {where} does not name"
