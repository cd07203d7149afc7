"""A client that declared `roots.listChanged` announces that its roots changed.

Judged where two lists of a session hold different URIs; their order and the names do not count. The announcement may
come until shortly after the second list, so the capture has to run on that long.
"""

from mcptest.compliance.kit import (
    CLIENT,
    RACE,
    Context,
    Exchange,
    History,
    Inconclusive,
    Message,
    Part,
    Remarks,
    notifications,
    remark,
    results,
    sessions,
)
from mcptest.compliance.rules.roots._lists import METHOD, uris

ID = "ROOTS-004"
ON = sessions._replace(noun="sessions with changed roots")
WATCH = (results(METHOD).of(CLIENT), notifications("notifications/roots/list_changed").of(CLIENT))
_MOST = 100


class MEMORY:
    def __init__(self) -> None:
        self.last: tuple[Message, frozenset[str]] | None = None
        self.announced = -RACE  # when it last was
        self.changed = False
        self.unannounced: list[Message] = []


def watch(subject: Exchange | Message, context: Context) -> None:
    memory = context.memory
    if isinstance(subject, Message):
        memory.announced = subject.mono
        while memory.unannounced and subject.mono - memory.unannounced[-1].mono <= RACE:
            memory.unannounced.pop()
        return
    answer, declared = subject.answer, subject.request.client_capabilities
    assert answer is not None
    if (
        declared is None
        or not declared.declares("roots", "listChanged")
        or type(subject.result.get("roots")) is not list
    ):
        return
    listed = frozenset(uri for _, uri in uris(Part("answer", METHOD, subject.result, answer, "/result")))
    if memory.last is not None and memory.last[1] != listed:
        memory.changed = True
        if memory.announced < memory.last[0].mono - RACE and len(memory.unannounced) < _MOST:
            memory.unannounced.append(answer)
    memory.last = answer, listed


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.changed)


def check(history: History, context: Context) -> Remarks:
    if context.memory.unannounced:
        context.rely_on_end()
        end = history.events[-1].mono
        for answer in context.memory.unannounced:
            if end - answer.mono <= RACE:
                raise Inconclusive("the session ended right after the roots changed")
            yield remark("The roots differ from those before, and no change was announced", "/result/roots", of=answer)
