"""There are no updates after unsubscribing.

Judged from the result of `resources/unsubscribe` on; what comes right after it may have crossed it on the way. Another
subscription, to the same URI or to one above it, makes updates welcome again.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Message,
    Remarks,
    later,
    remark,
    requests,
    results,
)
from mcptest.compliance.rules._uris import covered, key
from mcptest.compliance.rules.res._subscriptions import UPDATED

ID = "RES-012"
ON = (results("resources/unsubscribe").of(SERVER)._replace(noun="unsubscriptions and updates after them"), UPDATED)
WATCH = (requests("resources/subscribe").of(CLIENT), results("resources/unsubscribe").of(SERVER))


class MEMORY:
    def __init__(self) -> None:
        self.live: set[str] = set()
        self.ended: dict[str, Message] = {}  # the answer that ended a subscription


def watch(subject: Message | Exchange, context: Context) -> None:
    uri, memory = subject.params.get("uri"), context.memory
    if type(uri) is not str:
        return
    if isinstance(subject, Message):
        memory.live.add(key(uri))
        memory.ended.pop(key(uri), None)
    elif key(uri) in memory.live:
        memory.live.discard(key(uri))
        memory.ended[key(uri)] = subject.place


def applies(subject: Message | Exchange, context: Context) -> bool:
    uri, memory = subject.params.get("uri"), context.memory
    return type(uri) is str and key(uri) in memory.ended and not covered(uri, memory.live)


def check(subject: Message | Exchange, context: Context) -> Remarks:
    uri: str = subject.params["uri"]
    if isinstance(subject, Message) and later(context.memory.ended[key(uri)], subject):
        yield remark(f"An update of {uri[:80]!r} came after the client had unsubscribed", "/params/uri")
