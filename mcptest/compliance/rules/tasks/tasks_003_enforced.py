"""A server refuses with -32601 calls that are tasks and must not be, or are none and must be.

A result breaks the rule where a task was required, and is warned about where it was forbidden. Another error may have
another reason: it counts only if it speaks of tasks.
"""

from mcptest.compliance.kit import SERVER, Exchange, Inconclusive, Remarks, answers, remark, warning
from mcptest.compliance.rules.tasks._support import REQUIRED, broken, served
from mcptest.protocol import errors

ID = "TASKS-003"
ON = answers("tools/call").of(SERVER)._replace(noun="calls against taskSupport")


def applies(exchange: Exchange) -> bool:
    return served(exchange.request) and broken(exchange.request) is not None and exchange.cancelled is None


def check(exchange: Exchange) -> Remarks:
    say = remark if broken(exchange.request) == REQUIRED else warning
    if not exchange.error:
        yield say(
            "The call goes against the tool's taskSupport, and is served instead of refused with -32601", "/result"
        )
    elif exchange.code != errors.METHOD_NOT_FOUND:
        if "task" not in str(exchange.error.get("message")).lower():
            raise Inconclusive("the call was refused, perhaps for another reason")
        yield say(f"The call is refused with {exchange.code}, not with -32601", "/error/code")
