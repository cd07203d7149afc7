"""An authorization server publishes its metadata.

The issuers are those that the protected resource names. Whether there is metadata can be told only where every form of
its address was asked for.
"""

from collections.abc import Iterator

from mcptest.compliance.kit import Context, History, HttpExchange, Inconclusive, Remarks, inside, sessions
from mcptest.compliance.rules.auth._flow import address, document, flow_of, forms, parts

ID = "AUTH-036"
EXPECT = {"forms"}


def _naming(history: History) -> Iterator[HttpExchange]:
    """Documents whose authorization servers were looked at."""
    flow = flow_of(history)
    looked = {parts(one.url).origin for one in flow.servers}
    for one in flow.resources:
        listed = document(one).get("authorization_servers")
        if type(listed) is list and any(type(issuer) is str and parts(issuer).origin in looked for issuer in listed):
            yield one


ON = inside(sessions, _naming, "protected resources")


def check(exchange: HttpExchange, context: Context) -> Remarks:
    status = {address(one.url): one.status for one in flow_of(context.history).servers}
    for issuer in document(exchange)["authorization_servers"]:
        if type(issuer) is not str:
            continue
        wanted = [form.url for form in forms(issuer) if form.name in context.expect["forms"]]
        found = [status.get(url) for url in wanted]
        if 200 in found or all(one is None for one in found):
            continue
        if any(one is None or not 400 <= one < 500 for one in found):
            raise Inconclusive(f"not every address of the metadata of {issuer[:100]} was asked for")
        yield f"{issuer[:200]} has no metadata at any of its addresses"
