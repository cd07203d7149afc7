"""A task that is over stays as it is, and its status is one of five.

What was said later is found by `lastUpdatedAt`, and where that does not tell, by the recording, if the later was asked
for after the earlier had been said. Since 2026-07-28 a server may call any task failed when its time to live is over.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, later, remark
from mcptest.compliance.rules.tasks._tasks import ENDED, SAID, STATUSES, is_number, moment

ID = "TASKS-007"
ON = SAID
_MOST = 10_000


class MEMORY:
    """Of each task, what last said that it was over, or else what was said last."""

    def __init__(self) -> None:
        self.last: dict[tuple[str, str], Part] = {}


def applies(task: Part) -> bool:
    return "status" in task.members


def check(task: Part, context: Context) -> Remarks:
    status = task.members["status"]
    if status not in STATUSES:
        said = repr(status[:40]) if type(status) is str else a(status)
        yield remark(f"The status {said} is none of {', '.join(STATUSES)}", "/status")
        return
    last, key = context.memory.last, (task.sender, task.name)
    before = last.get(key)
    if task.name and (before is not None or len(last) < _MOST) and (before is None or not _over(before)):
        last[key] = task
    if before is None or before.members["status"] == status:
        return
    first, second = (before, task) if _follows(before, task) else (task, before)
    if _over(first) and (first is before or _follows(task, before)) and not _expired(first, second):
        was, now = first.members["status"], second.members["status"]
        yield remark(
            f"The task was {was} in frame {first.message.seq}, and is {now} after that", "/status", of=task.message
        )


def _over(task: Part) -> bool:
    return task.members.get("status") in ENDED


def _follows(first: Part, second: Part) -> bool:
    """Was the second surely said of a later state than the first?"""
    before, after = (moment(one.members.get("lastUpdatedAt")) for one in (first, second))
    if before is not None and after is not None and before != after:
        return before < after
    exchange = second.message.answers
    if exchange is not None:
        return exchange.request.seq > first.message.seq
    return later(first.message, second.message)


def _expired(first: Part, second: Part) -> bool:
    if not second.message.modern or second.members["status"] != "failed":
        return False
    ttl = second.members.get("ttlMs", first.members.get("ttlMs"))
    began, now = moment(second.members.get("createdAt")), moment(second.members.get("lastUpdatedAt"))
    if not is_number(ttl):
        return False
    return began is None or now is None or now - began >= ttl / 1000
