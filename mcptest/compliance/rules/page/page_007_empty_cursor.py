"""An empty cursor is a cursor, not the end of the list.

Warned about if the client never goes on with it, once the session has come to its end: it may have had enough, but more
likely it took the empty string for nothing.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    History,
    Message,
    Remarks,
    remark,
    requests,
    results,
    sessions,
)
from mcptest.compliance.rules.page._cursors import LISTS

ID = "PAGE-007"
ON = sessions._replace(noun="sessions with an empty cursor")
WATCH = (results(*LISTS).of(SERVER), requests(*LISTS).of(CLIENT))


class MEMORY:
    def __init__(self) -> None:
        self.given: dict[str, Exchange] = {}  # the first page of each list that ended in an empty cursor
        self.followed: set[str] = set()


def watch(subject: Exchange | Message, context: Context) -> None:
    memory = context.memory
    if isinstance(subject, Exchange):
        if subject.result.get("nextCursor") == "" and subject.modern and not subject.synthetic:
            memory.given.setdefault(subject.method, subject)
    elif subject.params.get("cursor") == "":
        memory.followed.add(subject.name)


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.given)


def check(_: History, context: Context) -> Remarks:
    for method, page in context.memory.given.items():
        if method not in context.memory.followed:
            context.rely_on_end()
            yield remark(
                f"The client did not go on with the empty cursor of {method}", "/result/nextCursor", of=page.place
            )
