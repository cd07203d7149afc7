"""A server refuses with -32601 calls that are tasks and must not be, or are none and must be.

A result breaks the rule where a task was required, and is warned about where it was forbidden. Another error may have
another reason: it counts only if it speaks of tasks.
"""

from mcptest.compliance.kit import Exchange, Inconclusive, Remarks, remark, warning
from mcptest.compliance.rules.tasks._support import ANSWERS, REQUIRED, broken
from mcptest.protocol import errors

ID = "TASKS-003"
ON = ANSWERS._replace(noun="calls against taskSupport")


def applies(exchange: Exchange) -> bool:
    return broken(exchange.request) is not None


def check(exchange: Exchange) -> Remarks:
    say = remark if broken(exchange.request) == REQUIRED else warning
    if not exchange.error:
        how = "refused by a result" if exchange.result.get("isError") is True else "served"
        yield say(f"The call goes against the tool's taskSupport, and is {how}, not refused with -32601", "/result")
    elif exchange.code != errors.METHOD_NOT_FOUND:
        if "task" not in str(exchange.error.get("message")).lower():
            raise Inconclusive("the call was refused, perhaps for another reason")
        yield say(f"The call is refused with {exchange.code}, not with -32601", "/error/code")
