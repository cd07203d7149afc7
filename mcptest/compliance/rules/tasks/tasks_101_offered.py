"""Only a call whose request declares the extension becomes a task.

`expect.methods` are the methods that may be answered with a task. Other extensions may have others, which are
mentioned.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, info, inside, remark, results
from mcptest.compliance.rules.tasks._tasks import EXTENSION, NAMING
from mcptest.protocol import CORE_METHODS


def _tasks(exchange: Exchange) -> tuple[Exchange, ...]:
    is_task = exchange.result.get("resultType") == "task" and exchange.modern and exchange.method not in NAMING
    return (exchange,) if is_task else ()


ID = "TASKS-101"
ON = inside(results().of(SERVER), _tasks, "tasks")
EXPECT = {"methods"}


def check(exchange: Exchange, context: Context) -> Remarks:
    declared = exchange.request.client_capabilities
    if declared is not None and not declared.declares("extensions", EXTENSION):
        yield remark(f"The answer is a task, and the request does not declare {EXTENSION}", "/result/resultType")
    if exchange.method not in context.expect["methods"]:
        say = remark if exchange.method in CORE_METHODS else info
        yield say(f"{exchange.method[:80]} is answered with a task", "/result/resultType")
