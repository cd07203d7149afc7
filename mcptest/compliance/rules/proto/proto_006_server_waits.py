"""Until the server has got `notifications/initialized` it sends no request but ping.

Notifications are left alone: log messages are expressly allowed.
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

ID = "PROTO-006"
ON = sessions._replace(noun="handshakes")
WATCH = (
    results("initialize").of(SERVER),
    requests().of(SERVER),
    notifications("notifications/initialized").of(CLIENT),
)
_MOST = 100


class MEMORY:
    def __init__(self) -> None:
        self.agreed = False
        self.ready: Message | None = None
        self.early: list[Message] = []


def watch(subject: Exchange | Message, context: Context) -> None:
    memory = context.memory
    if isinstance(subject, Exchange):
        memory.agreed = True
    elif subject.kind == "notification":
        memory.ready = memory.ready or subject
    elif memory.ready is None and not subject.modern and subject.method != "ping" and len(memory.early) < _MOST:
        memory.early.append(subject)


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.agreed)


def check(_: History, context: Context) -> Remarks:
    ready = context.memory.ready
    for message in context.memory.early:
        if ready is None or message.mono < ready.mono:
            context.rely_on_past()
            yield remark(f"The server sent {message.name[:80]} before it had got notifications/initialized", of=message)
