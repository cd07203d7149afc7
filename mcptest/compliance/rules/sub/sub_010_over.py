"""When a subscription is over, nothing more is told.

After the server itself ended it, or some time after the client did. A result that comes long after the client's
cancellation is warned about. Over HTTP each subscription has a stream of its own, so there a notification is only
warned about: it may have come by another way.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Message,
    Remarks,
    answers,
    later,
    modern_server,
    remark,
    warning,
)
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import TOLD, Listen
from mcptest.protocol.methods import LISTEN

ID = "SUB-010"
ON = (
    answers(LISTEN).of(SERVER)._replace(noun="ends of subscriptions and notifications after them"),
    TOLD,
)
MEMORY, WATCH, watch = _listens.MEMORY, _listens.WATCH, _listens.watch
PROVIDED = modern_server


def applies(subject: Exchange | Message, context: Context) -> bool:
    if isinstance(subject, Exchange):
        return subject.modern and context.memory.of(subject.request) is not None
    found = context.memory.named_by(subject)
    return bool(found) and all(listen.ended is not None for listen in found)


def check(subject: Exchange | Message, context: Context) -> Remarks:
    if isinstance(subject, Exchange):
        taken_back = subject.cancelled
        if taken_back is not None and taken_back.sender == CLIENT and later(taken_back, subject.place):
            yield warning(f"An answer comes long after the client stopped listening in frame {taken_back.seq}")
        return
    found = context.memory.named_by(subject)
    if all(_is_over(listen, subject, context) for listen in found):
        say = remark if context.history.transport == "stdio" else warning
        yield say(f"The subscription ended in frame {found[-1].ended.seq}")


def _is_over(listen: Listen, message: Message, context: Context) -> bool:
    ended = listen.ended
    assert ended is not None
    if ended.sender == SERVER and context.history.transport == "stdio":
        return ended.seq < message.seq
    return later(ended, message)
