"""Access tokens travel as `Authorization: Bearer`.

A token is known from the answer that gave it, or from having been sent as Bearer before. Credentials of other kinds are
mentioned once: a server may have a scheme of its own besides.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_ends, http_requests, info
from mcptest.compliance.rules.auth._flow import credential, document, protected

ID = "AUTH-003"
ON = http_requests()
WATCH = (http_ends("POST"), http_requests())
MEMORY = set[str]
PROVIDED = protected
_OTHERS = ("cookie", "x-api-key", "api-key", "x-auth-token", "x-access-token")


def watch(exchange: HttpExchange, context: Context) -> None:
    given = document(exchange).get("access_token") if not exchange.mcp and "grant_type" in exchange.form else None
    if type(given) is str:
        context.memory.add(given)
    sent = credential(exchange)
    if sent is not None and sent[0] == "bearer" and sent[1]:
        context.memory.add(sent[1])


def applies(exchange: HttpExchange) -> bool:
    return exchange.mcp and (credential(exchange) is not None or any(exchange.header(one) for one in _OTHERS))


def check(exchange: HttpExchange, context: Context) -> Remarks:
    sent = credential(exchange)
    if sent is not None and sent[0] != "bearer":
        if sent[1] in context.memory:
            yield f"An access token is sent with the scheme {sent[0][:40]!r}, not as Bearer"
        else:
            yield info(f"The scheme {sent[0][:40]!r} is none of MCP's")
    for name, value in exchange.request.headers:
        key = name.decode("latin-1").lower()
        if key == "authorization":
            continue
        text = value.decode("latin-1")
        if any(token in text for token in context.memory if len(token) >= 8):
            yield f"An access token is sent in the header {key[:60]!r}"
        elif key in _OTHERS:
            yield info(f"There is a credential in the header {key!r}, which is none of MCP's")
