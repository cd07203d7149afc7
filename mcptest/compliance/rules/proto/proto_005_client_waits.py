"""Until `initialize` is answered the client sends no request but ping.

Requests of the stateless era, by which a client finds out what a server is, do not count.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    History,
    Message,
    Remarks,
    answers,
    remark,
    requests,
    sessions,
)

ID = "PROTO-005"
ON = sessions._replace(noun="handshakes")
WATCH = (requests().of(CLIENT), answers("initialize").of(SERVER))
_MOST = 100


class MEMORY:
    def __init__(self) -> None:
        self.opened = False
        self.waiting = False
        self.early: list[Message] = []


def watch(subject: Message | Exchange, context: Context) -> None:
    memory = context.memory
    if isinstance(subject, Exchange):
        assert subject.answer is not None
        if not subject.synthetic:
            memory.waiting = False
            # The recorder's two directions race: by the clock these may have come after the answer.
            memory.early = [message for message in memory.early if message.mono < subject.answer.mono]
    elif subject.method == "initialize":
        if not subject.synthetic:
            memory.opened = memory.waiting = True
    elif memory.waiting and len(memory.early) < _MOST and _is_early(subject):
        memory.early.append(subject)


def _is_early(request: Message) -> bool:
    return not request.synthetic and not request.modern and request.method != "ping"


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.opened)


def check(_: History, context: Context) -> Remarks:
    for message in context.memory.early:
        context.rely_on_past()
        yield remark(f"The client sent {message.name[:80]} before initialize was answered", of=message)
