"""The answer to a question that belongs to a task belongs to it too.

Another task in the answer breaks the rule; none is warned about.
"""

from mcptest.compliance.kit import Exchange, Remarks, remark, results, warning
from mcptest.compliance.rules.tasks._tasks import related

ID = "TASKS-022"
ON = results("sampling/createMessage", "elicitation/create", "roots/list")._replace(noun="answers that belong to tasks")


def applies(exchange: Exchange) -> bool:
    return not exchange.modern and bool(related(exchange.request))


def check(exchange: Exchange) -> Remarks:
    assert exchange.answer is not None
    asked, told = related(exchange.request), related(exchange.answer)
    if told is None:
        yield warning(
            f"The question belongs to the task {str(asked)[:80]!r}, and the answer does not say so", "/result"
        )
    elif told != asked:
        yield remark(
            f"The question belongs to the task {str(asked)[:80]!r}, the answer to {told[:80]!r}", "/result/_meta"
        )
