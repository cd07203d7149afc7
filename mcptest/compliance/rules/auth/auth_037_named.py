"""The authorization server comes from the resource's metadata, and the endpoints from that server's own.

Where no metadata could be had, the default paths of the MCP host are warned about: servers of 2025-03-26 have them.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, warning
from mcptest.compliance.rules.auth._flow import flow_of, named, parts, uses

ID = "AUTH-037"
ON = uses


def applies(use: HttpExchange, context: Context) -> bool:
    return any(one.seq < use.seq for one in flow_of(context.history).servers)


def check(use: HttpExchange, context: Context) -> Remarks:
    flow = flow_of(context.history)
    before = [one for one in flow.servers if one.seq < use.seq]
    metadata = flow.metadata_for(use)
    if metadata is None:
        if any(named(one) for one in before):
            yield f"{use.path[:100]} at {use.host[:100]} is used, which no metadata names"
        elif all(one.status is not None and one.status >= 400 for one in before):
            yield warning(f"There is no metadata, and {use.path[:100]} is used")
        return
    issuers = {parts(issuer).origin for issuer in flow.issuers}
    if issuers and parts(metadata.url).origin not in issuers:
        yield f"{metadata.host[:100]} is used, which is not among the resource's authorization_servers"
