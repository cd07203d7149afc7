"""Access tokens are never in a URL's query.

A token is known by its parameter's name, or by having been given or sent as a token elsewhere. Names that sound like
keys are warned about: what is in a URL ends up in logs.
"""

import re

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_ends, http_requests, pointer, warning
from mcptest.compliance.rules.auth._flow import credential, document

ID = "AUTH-005"
ON = http_requests()
WATCH = (http_ends("POST"), http_requests())
MEMORY = set[str]
_LIKE_A_KEY = re.compile(r"(?:auth|bearer|id)?_?token|api_?key|key|secret", re.IGNORECASE)


def watch(exchange: HttpExchange, context: Context) -> None:
    given = document(exchange).get("access_token") if "grant_type" in exchange.form else None
    sent = credential(exchange)
    tokens = (given, sent[1] if sent is not None and sent[0] == "bearer" else None)
    context.memory.update(token for token in tokens if type(token) is str and len(token) >= 8)


def applies(exchange: HttpExchange) -> bool:
    return exchange.mcp and bool(exchange.query)


def check(exchange: HttpExchange, context: Context) -> Remarks:
    for name, values in exchange.query.items():
        if name.lower() == "access_token" or any(value in context.memory for value in values):
            yield f"The access token is in the URL, as {pointer(name)[1:80]!r}"
        elif _LIKE_A_KEY.fullmatch(name.replace("-", "_")):
            yield warning(f"The URL has {name[:80]!r} in it, which sounds like a credential")
