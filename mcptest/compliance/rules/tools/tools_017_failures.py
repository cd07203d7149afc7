"""A tool that fails says so in an `isError` result, not in a protocol error.

Judged on calls of listed tools with arguments that fit, where they failed. `expect.open` are codes whose cause does not
show: they may be a server's own trouble, or be meant for arguments that only the tool knows to be wrong. They are
mentioned. Refusals for other reasons (version, tasks, permissions, load) are left alone.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, answers, info, remark
from mcptest.compliance.rules.tools._calls import Schemas, misused, refused_for_other_reasons

ID = "TOOLS-017"
ON = answers("tools/call").of(SERVER)._replace(noun="failed calls")
MEMORY = Schemas
EXPECT = {"open"}


def applies(exchange: Exchange, context: Context) -> bool:
    if exchange.error:
        failed = not refused_for_other_reasons(exchange)
    else:
        failed = exchange.result.get("isError") is True
    return failed and misused(exchange, context.memory) == []


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.error:
        say = info if exchange.code in context.expect["open"] else remark
        code = exchange.error.get("code")
        yield say(f"The tool failed with the error {code}, not with an isError result", "/error/code")
