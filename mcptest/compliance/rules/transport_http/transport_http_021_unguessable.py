"""A session's id is hard to guess.

Estimated from its length and from the kinds of characters in it: `expect.bits` is the least that will do. Whether it
was drawn at random does not show.
"""

import math

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_responses
from mcptest.compliance.rules.transport_http._heads import opens

ID = "TRANSPORT-HTTP-021"
ON = http_responses("POST")._replace(noun="session ids")
EXPECT = {"bits"}
_KINDS = ("0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ")
_OTHERS = 4
_LEAST_DISTINCT = 4


def applies(exchange: HttpExchange) -> bool:
    return exchange.ok and opens(exchange) and bool(exchange.assigned)


def check(exchange: HttpExchange, context: Context) -> Remarks:
    text = (exchange.assigned or "").replace("-", "")
    alphabet = sum(len(kind) for kind in _KINDS if set(kind) & set(text))
    alphabet += _OTHERS if any(not any(char in kind for kind in _KINDS) for char in text) else 0
    bits = len(text) * math.log2(max(alphabet, 2))
    if bits < context.expect["bits"] or len(set(text)) < _LEAST_DISTINCT:
        yield f"The session id {(exchange.assigned or '')[:40]!r} can hold {bits:.0f} bits of chance at most"
