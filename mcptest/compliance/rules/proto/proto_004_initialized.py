"""After the handshake the client sends `notifications/initialized`, and then its requests.

It fails if the notification never comes although the client goes on with requests other than ping, or if it came only
before the server's answer, and not just then. A notification that comes after such a request is warned about, and so is
one too many. A session that ends with the handshake is not judged.
"""

from collections.abc import Iterator

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    History,
    Message,
    Remark,
    Remarks,
    info,
    later,
    notifications,
    remark,
    requests,
    results,
    sessions,
    warning,
)

ID = "PROTO-004"
ON = sessions._replace(noun="handshakes")
WATCH = (
    results("initialize").of(SERVER),
    requests().of(CLIENT),
    notifications("notifications/initialized").of(CLIENT),
)
_MOST = 100


class MEMORY:
    def __init__(self) -> None:
        self.agreed: list[Message] = []  # the server's answers
        self.said: list[Message] = []  # the client's notifications
        self.first: Message | None = None  # its first request after the first answer


def watch(subject: Exchange | Message, context: Context) -> None:
    memory = context.memory
    if subject.synthetic:
        return
    if isinstance(subject, Exchange):
        if len(memory.agreed) < _MOST:
            memory.agreed.append(subject.answer)
    elif subject.kind == "notification":
        if len(memory.said) <= _MOST:
            memory.said.append(subject)
    elif memory.agreed and memory.first is None and _is_operation(subject):
        memory.first = subject


def _is_operation(request: Message) -> bool:
    return not request.modern and request.method not in ("ping", "initialize")


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.agreed and (context.memory.said or context.memory.first))


def check(_: History, context: Context) -> Remarks:
    problems = list(_problems(context.memory))
    if problems:
        context.rely_on_past()
    for needs_the_end, problem in problems:
        if needs_the_end:
            context.rely_on_end()
        yield problem


def _problems(memory: MEMORY) -> Iterator[tuple[bool, Remark]]:
    """What is wrong, each with whether a notification that is still to come could put it right."""
    agreed, said, first = memory.agreed, memory.said, memory.first
    after = [message for message in said if message.mono >= agreed[0].mono]
    if not said:
        yield True, remark("The client sends requests and never sent notifications/initialized", of=first)
    elif not after:
        say = remark if later(said[-1], agreed[0]) else info
        yield True, say("notifications/initialized came before the server had answered", of=said[-1])
    elif first is not None and first.mono < after[0].mono:
        say = warning if later(first, after[0]) else info
        yield False, say(f"notifications/initialized came after the request {first.name[:80]}", of=after[0])
    if len(said) > len(agreed):
        yield False, warning(f"The client sent notifications/initialized {len(said)} times", of=said[-1])
