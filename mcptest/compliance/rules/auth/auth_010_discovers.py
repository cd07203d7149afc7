"""A client finds an authorization server's metadata by the rule of the revision.

At 2025-03-26 that is the MCP host's own, without the endpoint's path. Later the issuer comes from the protected
resource's metadata, and its document is looked for in the revision's forms, in their order; to stop at the first that
is there is right.
"""

from collections.abc import Iterator

from mcptest.compliance.kit import Context, History, HttpExchange, Remarks, inside, sessions
from mcptest.compliance.rules.auth._flow import SERVER, flow_of, forms, parts

ID = "AUTH-010"
EXPECT = {"forms"}


def _first_of_each(history: History) -> Iterator[HttpExchange]:
    """The first look at each authorization server."""
    seen: set[str] = set()
    for one in flow_of(history).servers:
        origin = parts(one.url).origin
        if origin not in seen and not one.synthetic:
            seen.add(origin)
            yield one


ON = inside(sessions, _first_of_each, "discoveries")


def applies(look: HttpExchange, context: Context) -> bool:
    flow = flow_of(context.history)
    if context.expect["forms"] == ["host"]:
        return look.path.startswith(SERVER)
    return any(parts(issuer).origin == parts(look.url).origin for issuer in flow.issuers)


def check(look: HttpExchange, context: Context) -> Remarks:
    if context.expect["forms"] == ["host"]:
        if look.path.rstrip("/") != SERVER:
            yield f"The path is kept in {look.path[:200]!r}: the metadata is at {SERVER}"
        return
    flow = flow_of(context.history)
    origin = parts(look.url).origin
    tried = [one for one in flow.servers if parts(one.url).origin == origin]
    orders = [
        [form.url for form in forms(issuer) if form.name in context.expect["forms"]]
        for issuer in flow.issuers
        if parts(issuer).origin == origin
    ]
    if not any(_follows(tried, order) for order in orders):
        urls = ", ".join(one.path for one in tried[:4])
        yield f"{urls[:300]} was asked for; the order is {', '.join(orders[0])[:300]}"


def _follows(tried: list[HttpExchange], order: list[str]) -> bool:
    """Is the order kept, as far as it had to be gone through?"""
    expected = iter(order)
    for one in tried:
        wanted = next(expected, None)
        if wanted is None:
            return True
        if "".join(parts(one.url)) != wanted:
            return False
        if one.ok:
            return True
    return True
