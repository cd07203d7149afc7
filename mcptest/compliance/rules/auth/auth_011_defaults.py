"""The default endpoints of the base URL are used only where there is no metadata.

/authorize, /token and /register of the MCP host are what a client of 2025-03-26 falls back to after the metadata's
well-known address gave nothing, unless the metadata names just these.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import address, flow_of, named, parts, uses

ID = "AUTH-011"
ON = uses
_DEFAULTS = ("/authorize", "/token", "/register")


def applies(use: HttpExchange, context: Context) -> bool:
    hosts = {parts(one.url).origin for one in flow_of(context.history).challenges}
    return use.path.endswith(_DEFAULTS) and (not hosts or parts(use.url).origin in hosts)


def check(use: HttpExchange, context: Context) -> Remarks:
    flow = flow_of(context.history)
    before = [one for one in flow.servers if one.seq < use.seq]
    if any(address(use.url) in named(one) for one in before):
        return
    if any(one.ok for one in before):
        yield f"{use.path[:100]} is used, which the metadata does not name"
    elif not before:
        context.rely_on_past()
        yield f"{use.path[:100]} is used without a look at the metadata"
    elif use.path not in _DEFAULTS:
        yield f"{use.path[:100]} is no default endpoint: those are at the root of the host"
