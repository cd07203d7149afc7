"""A task can be asked for as soon as it is created.

Judged on the first `tasks/get` for a task that this session created, unless it was cancelled before or its time to live
is over. An error for another reason than that the task is not known is not judged.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Message, Part, Remarks, answers, remark, requests
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.compliance.rules.tasks._tasks import RECEIPTS, asked_for, is_number
from mcptest.protocol import errors

ID = "TASKS-103"
ON = answers("tasks/get").of(SERVER)._replace(noun="first looks at a task")
WATCH = (RECEIPTS, requests("tasks/cancel"))
_MOST = 10_000


class MEMORY:
    """The receipts of tasks that nobody has asked for yet."""

    def __init__(self) -> None:
        self.fresh: dict[str, Part] = {}


def watch(subject: Part | Message, context: Context) -> None:
    fresh = context.memory.fresh
    if isinstance(subject, Message):
        fresh.pop(asked_for(subject), None)
    elif subject.message.modern and subject.name and len(fresh) < _MOST:
        fresh[subject.name] = subject


def applies(exchange: Exchange, context: Context) -> bool:
    task = context.memory.fresh.pop(asked_for(exchange.request), None) if exchange.modern else None
    if task is None or (exchange.error and exchange.code != errors.INVALID_PARAMS):
        return False
    ttl = task.members.get("ttlMs")
    waited = exchange.place.mono - task.message.mono
    return (not is_number(ttl) or waited < ttl * 1e6) and not refused_for_other_reasons(exchange)


def check(exchange: Exchange) -> Remarks:
    if exchange.error:
        yield remark("The task was just created, and is not known", "/error")
