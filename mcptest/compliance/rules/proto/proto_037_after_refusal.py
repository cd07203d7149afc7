"""After -32022 a client goes on in a version that the server listed, or not at all.

The next request counts that the client can have sent knowing of the refusal. `initialize` is warned about, or mentioned
if the server listed a version that has a handshake.
"""

from typing import NamedTuple

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    History,
    Message,
    Remarks,
    info,
    later,
    refusals,
    remark,
    requests,
    sessions,
)
from mcptest.compliance.rules.proto._parts import claimed, shakes_hands, texts
from mcptest.protocol import errors

ID = "PROTO-037"
ON = sessions._replace(noun="sessions with a version refused")
WATCH = (refusals().of(SERVER), requests().of(CLIENT))
_MOST = 100


class Refusal(NamedTuple):
    answer: Message
    supported: list[str]


class MEMORY:
    def __init__(self) -> None:
        self.open: Refusal | None = None
        self.followed: list[tuple[Refusal, Message]] = []


def watch(subject: Exchange | Message, context: Context) -> None:
    memory = context.memory
    if subject.synthetic:
        return
    if isinstance(subject, Exchange):
        data = subject.error.get("data")
        supported = texts(data.get("supported")) if type(data) is dict else None
        if subject.code == errors.UNSUPPORTED_PROTOCOL_VERSION and subject.modern and supported:
            assert subject.answer is not None
            memory.open = Refusal(subject.answer, supported)
    elif memory.open is not None and _answers_refusal(subject, memory.open):
        if len(memory.followed) < _MOST:
            memory.followed.append((memory.open, subject))
        memory.open = None


def _answers_refusal(message: Message, refusal: Refusal) -> bool:
    """Requests in flight when the refusal came were sent without knowing of it."""
    if message.method == "initialize":
        return True
    version = claimed(message)
    return version is not None and (version in refusal.supported or later(refusal.answer, message))


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.open or context.memory.followed)


def check(_: History, context: Context) -> Remarks:
    for refusal, message in context.memory.followed:
        if message.method == "initialize":
            say = info if any(map(shakes_hands, refusal.supported)) else remark
            yield say("The client sent initialize after -32022, which only a server without it sends", of=message)
        else:
            version = claimed(message)
            assert version is not None
            if version not in refusal.supported:
                yield remark(f"The client goes on in {version[:40]!r}, which the server did not list", of=message)
    if context.memory.open:
        context.rely_on_end()
