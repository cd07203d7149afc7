"""`tasks/result` waits until the task is over.

Broken where a request that was sent after it had been answered shows the task still at work.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, remark, results
from mcptest.compliance.rules.tasks._tasks import STATUSES, Key, key_of

ID = "TASKS-012"
ON = results("tasks/get")._replace(noun="states after the result")
WATCH = results("tasks/result")
_OPEN = STATUSES[:2]
_MOST = 10_000


class MEMORY:
    def __init__(self) -> None:
        self.given: dict[Key, Exchange] = {}


def watch(exchange: Exchange, context: Context) -> None:
    if len(context.memory.given) < _MOST and not exchange.modern:
        context.memory.given.setdefault(key_of(exchange), exchange)


def applies(exchange: Exchange, context: Context) -> bool:
    given = context.memory.given.get(key_of(exchange))
    return not exchange.modern and given is not None and given.place.seq < exchange.request.seq


def check(exchange: Exchange, context: Context) -> Remarks:
    status = exchange.result.get("status")
    if status in _OPEN:
        given = context.memory.given[key_of(exchange)].place.seq
        yield remark(f"The task is {status}, and its result came before, in frame {given}", "/result/status")
