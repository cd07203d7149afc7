"""What is told to a listening client names the request by which it listens.

`io.modelcontextprotocol/subscriptionId` in `_meta` is the id of that request; `"1"` is not `1`. Whether the client
still listens is for SUB-007 and SUB-010. Sessions with a handshake are not judged.
"""

from mcptest.compliance.kit import Context, History, Message, Remarks, modern_server, remark, sessions
from mcptest.compliance.rules._start import rely_on_start
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import TOLD, Listens, stream_of, subscription, without_handshake
from mcptest.protocol import SUBSCRIPTION_ID
from mcptest.protocol.methods import LISTEN

ID = "SUB-004"
ON = (TOLD, sessions)
WATCH = _listens.WATCH
PROVIDED = modern_server
_MOST = 1000
_AT = "/params/_meta/io.modelcontextprotocol~1subscriptionId"


class MEMORY(Listens):
    """With the notifications whose request is not known yet: a recorder may have written it down later."""

    def __init__(self) -> None:
        super().__init__()
        self.unknown: list[Message] = []


watch = _listens.watch


def applies(subject: Message | History, context: Context) -> bool:
    memory = context.memory
    if isinstance(subject, History):
        return subject.known.negotiated is None and any(not memory.named_by(message) for message in memory.unknown)
    if not without_handshake(subject):
        return False
    if memory.named_by(subject) or _listener(subject) is not None:
        return True
    if len(memory.unknown) < _MOST:
        memory.unknown.append(subject)
    return False


def check(subject: Message | History, context: Context) -> Remarks:
    if isinstance(subject, Message):
        listener = _listener(subject)
        if listener is not None and subscription(subject) != listener.id:
            yield remark("The notification does not name the request in whose stream it comes", "/params")
        return
    rely_on_start(context)
    context.rely_on_end()
    for message in context.memory.unknown:
        if SUBSCRIPTION_ID not in message.meta:
            yield remark(f"{message.name} does not say which request to listen it belongs to", "/params", of=message)
        elif not context.memory.named_by(message):
            value = str(message.meta[SUBSCRIPTION_ID])[:40]
            how = "" if subscription(message) is not None else ", and is neither a string nor a number"
            yield remark(f"No request to listen has the id {value!r} that the notification names{how}", _AT, of=message)


def _listener(message: Message) -> Message | None:
    """Over HTTP: the request to listen in whose stream the notification comes."""
    request = stream_of(message)
    return request if request is not None and request.method == LISTEN else None
