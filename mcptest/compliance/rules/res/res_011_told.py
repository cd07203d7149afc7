"""A subscriber is told when the resource changes.

Two reads of a resource that the client is subscribed to, with different contents, show a change; an update belongs
between them, or right after the second. Only stdio is judged: elsewhere there may be no way to tell the client.
"""

from collections import OrderedDict

from mcptest.compliance.kit import (
    CLIENT,
    RACE,
    SERVER,
    Context,
    Exchange,
    History,
    Message,
    Remarks,
    notifications,
    remark,
    results,
    same,
    sessions,
)
from mcptest.compliance.rules._changes import ACKNOWLEDGED, still_listens, told_until, wants
from mcptest.compliance.rules._results import complete
from mcptest.compliance.rules._uris import covered, key

ID = "RES-011"
ON = sessions._replace(noun="changes of resources")
WATCH = (
    results("resources/read", "resources/subscribe", "resources/unsubscribe").of(SERVER),
    notifications("notifications/resources/updated", ACKNOWLEDGED).of(SERVER),
)
_MOST = 1000
_MOST_READS = 100  # with their contents


class MEMORY:
    def __init__(self) -> None:
        self.since: dict[str, int] = {}  # the frame in which a subscription was confirmed, by URI
        self.listening: list[Message] = []
        self.reads: OrderedDict[str, Exchange] = OrderedDict()
        self.updates: list[tuple[str, int]] = []
        self.changes: list[tuple[Exchange, Exchange]] = []


def watch(subject: Exchange | Message, context: Context) -> None:
    memory, uri = context.memory, subject.params.get("uri")
    if isinstance(subject, Message):
        if subject.method == ACKNOWLEDGED:
            memory.listening = [*memory.listening[-9:], subject]
        elif type(uri) is str:
            memory.updates = [*memory.updates[1 - _MOST :], (key(uri), subject.mono)]
    elif type(uri) is not str or subject.asker != CLIENT:
        return
    elif subject.method == "resources/subscribe":
        memory.since.setdefault(key(uri), subject.place.seq)
    elif subject.method == "resources/unsubscribe":
        memory.since.pop(key(uri), None)
    elif complete(subject) and context.history.transport == "stdio":
        _read(subject, uri, context)


def _read(second: Exchange, uri: str, context: Context) -> None:
    memory = context.memory
    first = memory.reads.pop(uri, None)
    since = _subscribed_since(second, uri, context)
    if since is None:
        return
    memory.reads[uri] = second
    if len(memory.reads) > _MOST_READS:
        memory.reads.popitem(last=False)
    if first is None or first.request.seq < since or len(memory.changes) >= _MOST:
        return
    if not same(first.result.get("contents"), second.result.get("contents")):
        memory.changes.append((first, second))


def _subscribed_since(read: Exchange, uri: str, context: Context) -> int | None:
    if not read.modern:
        since: int | None = context.memory.since.get(key(uri))
        return since
    for acknowledged in context.memory.listening:
        uris = wants(acknowledged).get("resourceSubscriptions")
        if type(uris) is list and uri in uris and still_listens(acknowledged, context.history):
            return int(acknowledged.seq)
    return None


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.changes)


def check(_: History, context: Context) -> Remarks:
    for first, second in context.memory.changes:
        start, end = first.request.mono, second.place.mono + RACE
        told = {about for about, mono in context.memory.updates if start <= mono <= end}
        uri: str = second.params["uri"]
        if covered(uri, told) or any(one.startswith(key(uri)) for one in told):
            continue
        told_until(end, context)
        yield remark(f"{uri[:80]!r} changed, and the subscriber was not told", "/result/contents", of=second.place)
