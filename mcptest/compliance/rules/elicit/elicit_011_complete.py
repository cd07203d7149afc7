"""A server tells of the completion of an elicitation that it asked for, by its id.

Ids come from elicitations by URL and from the errors that require them. An id that this session has not seen may belong
to another session of the same client, so it is only warned about; one that was completed before is mentioned.
"""

from mcptest.compliance.kit import (
    SERVER,
    Context,
    Id,
    Ids,
    Message,
    Part,
    Remarks,
    info,
    notifications,
    remark,
    warning,
)
from mcptest.compliance.rules.elicit._forms import URLS, by_url

ID = "ELICIT-011"
ON = notifications("notifications/elicitation/complete").of(SERVER)._replace(noun="completions")
WATCH = URLS


class MEMORY:
    def __init__(self) -> None:
        self.asked, self.completed = Ids(), Ids()


def watch(question: Part, context: Context) -> None:
    identity = question.members.get("elicitationId")
    if by_url(question) and type(identity) is str:
        context.memory.asked.add(Id("string", identity))


def check(message: Message, context: Context) -> Remarks:
    given = message.params.get("elicitationId")
    if type(given) is not str:
        yield remark("elicitationId is missing or no string", "/params")
        return
    identity = Id("string", given)
    if identity in context.memory.completed:
        yield info("This elicitation was completed before", "/params/elicitationId")
    elif identity not in context.memory.asked:
        context.rely_on_past()
        yield warning(f"No elicitation with the id {given[:80]!r} was asked for", "/params/elicitationId")
    context.memory.completed.add(identity)
