"""No handshake settles on a version of the stateless era, and no request of that era shakes hands.

Judged on every `initialize`, its answer, and `notifications/initialized`, in sessions that know the stateless era.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    History,
    Message,
    Remarks,
    notifications,
    remark,
    requests,
    results,
    sessions,
)
from mcptest.compliance.rules.proto._parts import claimed
from mcptest.protocol import STATELESS_REVISIONS

ID = "PROTO-047"
ON = sessions._replace(noun="sessions with a handshake")
WATCH = (
    requests("initialize").of(CLIENT),
    notifications("notifications/initialized").of(CLIENT),
    results("initialize").of(SERVER),
)
_MOST = 100


class MEMORY:
    def __init__(self) -> None:
        self.seen = False
        self.wrong: list[tuple[str, str, Message]] = []


def watch(subject: Message | Exchange, context: Context) -> None:
    memory = context.memory
    if isinstance(subject, Exchange):
        version = subject.result.get("protocolVersion")
        memory.seen = True
        if version in STATELESS_REVISIONS and len(memory.wrong) < _MOST:
            assert subject.answer is not None
            text = f"The handshake settles on {version}, which has none"
            memory.wrong.append((text, "/result/protocolVersion", subject.answer))
    elif not subject.synthetic:
        memory.seen = True
        if claimed(subject) in STATELESS_REVISIONS and len(memory.wrong) < _MOST:
            memory.wrong.append((f"{subject.name} says that it is of {claimed(subject)}", "/params/_meta", subject))


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.seen)


def check(_: History, context: Context) -> Remarks:
    for text, at, message in context.memory.wrong:
        yield remark(text, at, of=message)
