"""A step-up does not go on for ever and, since 2026-07-28, keeps the scopes that the client had asked for.

Judged are authorization requests after a 403 for want of scope.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import authorizations, challenge, first, flow_of, scopes

ID = "AUTH-025"
ON = authorizations
EXPECT = {"union"}
_MOST = 3


def applies(exchange: HttpExchange, context: Context) -> bool:
    return any(
        one.status == 403 and one.seq < exchange.seq and challenge(one).get("error") == "insufficient_scope"
        for one in flow_of(context.history).challenges
    )


def check(exchange: HttpExchange, context: Context) -> Remarks:
    before = [one for one in flow_of(context.history).authorizations if one.seq < exchange.seq]
    asked = scopes(first(exchange.query, "scope"))
    if context.expect["union"] and before:
        dropped = scopes(first(before[-1].query, "scope")) - asked
        if dropped:
            yield f"The step-up drops {' '.join(sorted(dropped))[:200]!r}, which was asked for before"
    if sum(scopes(first(one.query, "scope")) == asked for one in before) >= _MOST:
        yield f"The same scopes are asked for more than {_MOST} times"
