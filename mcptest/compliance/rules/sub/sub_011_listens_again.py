"""After its server was started anew, a client listens again.

Only where one session holds both processes. A client may have lost interest, so this is only mentioned.
"""

from mcptest.compliance.kit import Context, Event, History, Message, Remarks, info, sessions
from mcptest.compliance.kit import events as happenings
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import Listens
from mcptest.protocol.methods import LISTEN

ID = "SUB-011"
ON = sessions._replace(noun="restarts")
WATCH = (*_listens.WATCH, happenings("spawn"))


class MEMORY(Listens):
    """`cut` is the request that a new process knows nothing of, `again` tells whether another followed."""

    def __init__(self) -> None:
        super().__init__()
        self.cut: Message | None = None
        self.again = False


def watch(subject: object, context: Context) -> None:
    memory = context.memory
    if isinstance(subject, Event):
        still = [listen.request for listen in memory.still_open()]
        memory.cut, memory.again = (still[-1] if still else None), False
        return
    if isinstance(subject, Message) and subject.method == LISTEN:
        memory.again = True
    _listens.watch(subject, context)  # type: ignore[arg-type]


def applies(_: History, context: Context) -> bool:
    return context.memory.cut is not None


def check(_: History, context: Context) -> Remarks:
    if not context.memory.again:
        context.rely_on_end()
        yield info("The server was started anew, and the client does not listen any more", of=context.memory.cut)
