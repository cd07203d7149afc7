"""Changes are told only to those who listen.

Broken where nobody listens at all, nor did just before; over HTTP where a notification comes in the response to another
request. Whom it belongs to is for SUB-004 and SUB-005. Sessions with a handshake are not judged.
"""

from mcptest.compliance.kit import Context, Exchange, History, Message, Remarks, later, modern_server, remark, sessions
from mcptest.compliance.rules._start import rely_on_start
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import CHANGES, Listens, stream_of, without_handshake
from mcptest.protocol.methods import LISTEN

ID = "SUB-007"
ON = (CHANGES, sessions)
WATCH = _listens.WATCH
PROVIDED = modern_server
_MOST = 1000


class MEMORY(Listens):
    """With what was told when nobody listened: the request may stand a little behind it in the recording."""

    def __init__(self) -> None:
        super().__init__()
        self.unasked: list[Message] = []

    def note(self, subject: Message | Exchange) -> None:
        super().note(subject)
        if isinstance(subject, Message) and subject.method == LISTEN:
            self.unasked = [message for message in self.unasked if later(message, subject)]


watch = _listens.watch


def applies(subject: Message | History, context: Context) -> bool:
    if isinstance(subject, History):
        return bool(context.memory.unasked) and subject.known.negotiated is None
    if not without_handshake(subject):
        return False
    if stream_of(subject) is not None or context.memory.anybody(subject):
        return True
    if len(context.memory.unasked) < _MOST:
        context.memory.unasked.append(subject)
    return False


def check(subject: Message | History, context: Context) -> Remarks:
    if isinstance(subject, Message):
        request = stream_of(subject)
        if request is not None and request.method != LISTEN:
            yield remark(f"{subject.name} is sent in the response to {request.name[:80]}", "/method")
    else:
        rely_on_start(context)
        context.rely_on_end()
        for message in context.memory.unasked:
            yield remark(f"{message.name} is sent, and nobody listens", "/method", of=message)
