"""A server without metadata has the default endpoints at its base URL.

Judged are requests to /authorize and /token after the metadata's address gave 404. Registration is optional.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, info
from mcptest.compliance.rules.auth._flow import SERVER, flow_of, parts, uses

ID = "AUTH-033"
ON = uses
_DEFAULTS = ("/authorize", "/token", "/register")


def applies(use: HttpExchange, context: Context) -> bool:
    return use.path in _DEFAULTS and any(
        one.status == 404 and one.path.rstrip("/") == SERVER and parts(one.url).origin == parts(use.url).origin
        for one in flow_of(context.history).servers
        if one.seq < use.seq
    )


def check(use: HttpExchange) -> Remarks:
    if use.status in (404, 405, 501):
        text = f"There is no metadata, and {use.path} answers with {use.status}"
        yield info(text) if use.path == "/register" else text
