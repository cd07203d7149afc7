"""A task says that it is one, and is whole.

A result that has the members of a task and no content has `resultType: task`, and a result of that type has
`expect.members`.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, remark, results
from mcptest.compliance.rules.tasks._tasks import STATUSES

ID = "TASKS-113"
ON = results("tools/call").of(SERVER)._replace(noun="tasks")
EXPECT = {"members"}


def applies(exchange: Exchange) -> bool:
    return exchange.modern and (exchange.result.get("resultType") == "task" or _looks_so(exchange))


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.result.get("resultType") != "task":
        yield remark("The result is a task, and its resultType does not say so", "/result/resultType")
        return
    missing = [key for key in context.expect["members"] if key not in exchange.result]
    if missing:
        yield remark(f"The task has no {', '.join(missing)}", "/result")


def _looks_so(exchange: Exchange) -> bool:
    result = exchange.result
    status = result.get("status")
    named = type(result.get("taskId")) is str and type(status) is str and status in STATUSES
    return named and "ttlMs" in result and "content" not in result
