"""A server that promised to announce changes of its list of tools does so.

Two whole lists of one session that differ show a change; an announcement belongs between them, or right after the
second. Since 2026-07-28 it is owed only to a client that listens for it. Only stdio is judged: elsewhere the list may
depend on who asks, and there may be no way to tell the client.
"""

from dataclasses import dataclass, field

from mcptest.compliance.kit import (
    CLIENT,
    RACE,
    SERVER,
    Context,
    History,
    Inconclusive,
    Listing,
    Message,
    Remarks,
    identify,
    listings,
    notifications,
    remark,
    same,
    sessions,
)
from mcptest.protocol import SUBSCRIPTION_ID

ID = "TOOLS-007"
ON = sessions._replace(noun="changes of the list")
_CHANGED = "notifications/tools/list_changed"
WATCH = (listings("tools/list"), notifications(_CHANGED, "notifications/subscriptions/acknowledged").of(SERVER))


@dataclass
class MEMORY:
    last: Listing | None = None
    told: list[int] = field(default_factory=list)  # when changes were announced
    listening: list[Message] = field(default_factory=list)  # acknowledgements of clients that want to know
    changes: list[tuple[Listing, Listing]] = field(default_factory=list)


def watch(subject: Listing | Message, context: Context) -> None:
    memory = context.memory
    if isinstance(subject, Listing):
        first, memory.last = memory.last, subject
        if first is not None and len(memory.changes) < 100 and _owed(first, subject, context):
            memory.changes.append((first, subject))
    elif subject.method == _CHANGED:
        memory.told = [*memory.told[-999:], subject.mono]
    elif (wanted := subject.params.get("notifications")) and type(wanted) is dict and wanted.get("toolsListChanged"):
        memory.listening = [*memory.listening[-9:], subject]


def _owed(first: Listing, second: Listing, context: Context) -> bool:
    declared = second.place.server_capabilities
    if context.history.transport != "stdio" or declared is None or not declared.declares("tools", "listChanged"):
        return False
    before, after = ({tool.name: tool.value for tool in listing} for listing in (first, second))
    if same(before, after):
        return False
    return not second.pages[0].modern or any(
        acknowledged.seq < first.place.seq and _open(acknowledged, context.history)
        for acknowledged in context.memory.listening
    )


def _open(acknowledged: Message, history: History) -> bool:
    """Does the client still listen?"""
    given = acknowledged.meta.get(SUBSCRIPTION_ID)
    asked = history.by_id(
        acknowledged.conn, CLIENT, identify(given, acknowledged.raw, ("params", "_meta", SUBSCRIPTION_ID))
    )
    return asked is not None and asked.answer is None and asked.cancelled is None and not asked.dropped


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.changes)


def check(history: History, context: Context) -> Remarks:
    for first, second in context.memory.changes:
        start, end = first.pages[0].request.mono, second.pages[-1].place.mono + RACE
        if any(start <= told <= end for told in context.memory.told):
            continue
        context.rely_on_end()
        if not history.events or history.events[-1].mono < end:
            raise Inconclusive("the session ended before the change could be announced")
        yield remark(
            "The list of tools has changed since it was last read, and nobody said so", of=second.pages[0].place
        )
