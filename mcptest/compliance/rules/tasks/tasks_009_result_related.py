"""The result of a task names the task.

By `io.modelcontextprotocol/related-task` in its `_meta`.
"""

from mcptest.compliance.kit import Exchange, Remarks, remark, results
from mcptest.compliance.rules.tasks._tasks import asked_for, related

ID = "TASKS-009"
ON = results("tasks/result")


def applies(exchange: Exchange) -> bool:
    return not exchange.modern and bool(asked_for(exchange.request))


def check(exchange: Exchange) -> Remarks:
    assert exchange.answer is not None
    named = related(exchange.answer)
    if named is None:
        yield remark("The result does not say which task it belongs to", "/result")
    elif named != asked_for(exchange.request):
        yield remark(f"The result says that it belongs to the task {named[:80]!r}", "/result/_meta")
