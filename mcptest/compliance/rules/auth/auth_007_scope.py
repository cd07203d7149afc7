"""Insufficient scope is answered with 403 and a challenge that says what is missing.

Judged are authorized requests whose refusal names insufficient scope. What the challenge has to hold came with
2025-11-25, and is a recommendation; that one step-up is enough for an operation, with 2026-07-28.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_ends, info, warning
from mcptest.compliance.rules.auth._flow import challenge, credential, protected

ID = "AUTH-007"
ON = http_ends("POST", "GET", "DELETE")
MEMORY = dict
PROVIDED = protected
EXPECT = {"challenge", "once"}
_NAME = "insufficient_scope"


def applies(exchange: HttpExchange) -> bool:
    if not exchange.mcp or credential(exchange) is None or exchange.status is None:
        return False
    return exchange.status == 403 or _names_it(exchange)


def check(exchange: HttpExchange, context: Context) -> Remarks:
    found = challenge(exchange)
    if not _names_it(exchange):
        if not found:
            yield info("A 403 has no challenge: its client cannot tell what is missing")
        return
    if exchange.status != 403:
        yield f"Insufficient scope is answered with {exchange.status}, not with 403"
        return
    if context.expect["challenge"]:
        missing = [name for name in ("error", "scope", "resource_metadata") if not found.get(name)]
        if missing:
            yield warning(f"The challenge lacks {', '.join(missing)}")
    if context.expect["once"]:
        yield from _again(exchange, found.get("scope", ""), context)


def _again(exchange: HttpExchange, scope: str, context: Context) -> Remarks:
    """Was the same operation challenged before, for less, and with another token?"""
    sent = exchange.sent[0] if exchange.sent else None
    operation = (exchange.verb, sent and sent.method, str(sent and (sent.params.get("name") or sent.params.get("uri"))))
    before = context.memory.setdefault(operation, (scope, credential(exchange)))
    if before[0] != scope and before[1] != credential(exchange):
        yield warning(f"After a step-up to {before[0][:80]!r} the same operation is challenged for {scope[:80]!r}")


def _names_it(exchange: HttpExchange) -> bool:
    body = exchange.answer_json
    return challenge(exchange).get("error") == _NAME or (type(body) is dict and body.get("error") == _NAME)
