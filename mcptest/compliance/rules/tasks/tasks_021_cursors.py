"""A cursor that was never given for tasks is refused with -32602.

Judged where the capture has the session from its start, and listing tasks is declared.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Remarks, answers, remark, results
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.compliance.rules.page._cursors import Given
from mcptest.compliance.rules.tasks._tasks import declares
from mcptest.protocol import errors

ID = "TASKS-021"
ON = answers("tasks/list")._replace(noun="invalid cursors")
WATCH = results("tasks/list")


def MEMORY() -> dict[str, Given]:  # noqa: N802  (what the engine calls for a rule's memory)
    return {CLIENT: Given(), SERVER: Given()}


def watch(exchange: Exchange, context: Context) -> None:
    context.memory[exchange.sender].add(exchange)


def applies(exchange: Exchange, context: Context) -> bool:
    cursor = exchange.params.get("cursor")
    if type(cursor) is not str or exchange.modern or context.history.incomplete_past:
        return False
    if declares(exchange.request, exchange.sender, "tasks", "list") is not True or refused_for_other_reasons(exchange):
        return False
    return context.memory[exchange.sender].elsewhere(cursor) is None and exchange.cancelled is None


def check(exchange: Exchange) -> Remarks:
    cursor = exchange.params["cursor"][:80]
    if not exchange.error:
        yield f"The invalid cursor {cursor!r} got a page, not the error -32602"
    elif exchange.code != errors.INVALID_PARAMS:
        yield remark(f"The invalid cursor {cursor!r} was refused with {exchange.code}, not with -32602", "/error/code")
