"""A task says when it began, when it changed, and for how long it is kept.

`createdAt` and `lastUpdatedAt` are times by ISO 8601, `expect.ttl` is a number, or null for ever. That it changed
before it began is warned about.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, remark, warning
from mcptest.compliance.rules.tasks._tasks import SAID, is_number, moment

ID = "TASKS-008"
ON = SAID
EXPECT = {"ttl"}


def applies(task: Part) -> bool:
    return type(task.value) is dict


def check(task: Part, context: Context) -> Remarks:
    members, ttl = task.members, context.expect["ttl"]
    for key in ("createdAt", "lastUpdatedAt"):
        if key not in members:
            yield f"The task has no {key}"
        elif moment(members[key]) is None:
            yield remark(f"{key} is no time by ISO 8601", f"/{key}")
    if ttl not in members:
        yield f"The task has no {ttl}"
    elif members[ttl] is not None and not is_number(members[ttl]):
        yield remark(f"{ttl} is {a(members[ttl])}, neither a number nor null", f"/{ttl}")
    began, changed = moment(members.get("createdAt")), moment(members.get("lastUpdatedAt"))
    if began is not None and changed is not None and changed < began:
        yield warning("lastUpdatedAt is before createdAt", "/lastUpdatedAt")
