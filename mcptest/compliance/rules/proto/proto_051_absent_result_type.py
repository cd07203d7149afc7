"""A client takes a result without `resultType` for a complete one.

Older servers do not know the member. It shows where a client makes use of a list that came without it: it asks for the
next page, or for something that was listed. A client that sends the very same request again at once is warned about.
All else remains open, and so does a client that ends: it may have got what it wanted.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    History,
    Inconclusive,
    Message,
    Remarks,
    later,
    requests,
    results,
    same,
    sessions,
    warning,
)
from mcptest.compliance.rules.proto._parts import claimed
from mcptest.protocol import LISTS, NAMES

ID = "PROTO-051"
ON = sessions._replace(noun="sessions with results without a type")
WATCH = (results("tools/list", "resources/list", "prompts/list").of(SERVER), requests().of(CLIENT))
_USES = {"tools/call": "tools/list", "resources/read": "resources/list", "prompts/get": "prompts/list"}


class MEMORY:
    def __init__(self) -> None:
        self.open: dict[str, Exchange] = {}  # the last result without a type, by method
        self.used = False
        self.repeated: Message | None = None


def watch(subject: Exchange | Message, context: Context) -> None:
    memory = context.memory
    if subject.synthetic or not subject.modern:
        return
    if isinstance(subject, Exchange):
        if "resultType" not in subject.result and claimed(subject.request) is not None:
            memory.open[subject.method] = subject
        return
    if not memory.open:
        return
    method = subject.name
    listing = memory.open.get(_USES.get(method, method))
    if listing is None:
        return
    cursor = subject.params.get("cursor")
    if method in _USES:
        memory.used |= _is_listed(subject.params.get(NAMES[method]), listing)
    elif type(cursor) is str and cursor == listing.result.get("nextCursor"):
        memory.used = True
    elif same(_asked(subject), _asked(listing.request)) and not later(listing.place, subject):
        memory.repeated = memory.repeated or subject


def _is_listed(name: object, listing: Exchange) -> bool:
    entries = listing.result.get(LISTS[listing.method].key)
    key = "uri" if listing.method == "resources/list" else "name"
    if type(entries) is not list or type(name) is not str:
        return False
    return any(type(entry) is dict and entry.get(key) == name for entry in entries)


def _asked(message: Message) -> dict[str, object]:
    return {key: value for key, value in message.params.items() if key != "_meta"}


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.open)


def check(_: History, context: Context) -> Remarks:
    memory = context.memory
    if memory.used:
        return
    if memory.repeated is None:
        raise Inconclusive("the client made no use of what it got")
    yield warning(
        f"The client sent {memory.repeated.name} again right after a result without resultType", of=memory.repeated
    )
