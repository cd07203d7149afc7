"""Arguments that the tool's schema forbids are refused with an `isError` result, which a model can learn from.

Judged on calls whose arguments do not fit the newest listed `inputSchema` and that were refused. `expect.tolerated` are
the codes of protocol errors that the revision also names for this; they are only mentioned. Refusals for other reasons
(version, tasks, permissions, load) are left alone.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, answers, info, remark
from mcptest.compliance.rules.tools._calls import Schemas, misused, refused_for_other_reasons

ID = "TOOLS-016"
ON = answers("tools/call").of(SERVER)._replace(noun="refused arguments")
MEMORY = Schemas
EXPECT = {"tolerated"}


def applies(exchange: Exchange, context: Context) -> bool:
    if exchange.error:
        refused = not refused_for_other_reasons(exchange)
    else:
        refused = exchange.result.get("isError") is True
    return refused and bool(misused(exchange, context.memory))


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.error:
        say = info if exchange.code in context.expect["tolerated"] else remark
        code = exchange.error.get("code")
        yield say(f"Wrong arguments were refused with the error {code}, not with an isError result", "/error/code")
