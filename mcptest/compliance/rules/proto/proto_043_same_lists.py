"""What a server lists does not depend on what was asked before.

Two whole listings of tools, resources or prompts are compared by name, if the second began within the time that the
first was said to be good for (`ttlMs`) and no change was announced between them. Lists do change, so that a difference
is only warned about.
"""

from typing import Any, NamedTuple

from mcptest.compliance.kit import SERVER, Context, Listing, Message, Remarks, listings, notifications, warning

ID = "PROTO-043"
ON = listings("tools/list", "resources/list", "prompts/list").of(SERVER)._replace(noun="repeated listings")
WATCH = notifications(
    "notifications/tools/list_changed", "notifications/resources/list_changed", "notifications/prompts/list_changed"
).of(SERVER)
_MILLISECOND = 1_000_000
_SHOWN = 3


class Earlier(NamedTuple):
    names: frozenset[str]
    seq: int
    good_until: float


MEMORY = dict[str, Earlier]


def watch(message: Message, context: Context) -> None:
    context.memory.pop(f"{message.name.split('/')[1]}/list", None)


def applies(listing: Listing, context: Context) -> bool:
    now = _remember(listing)
    earlier = context.memory.get(listing.name)
    comparable = earlier is not None and listing.pages[0].request.mono <= earlier.good_until
    if not comparable:
        context.memory[listing.name] = now
    return comparable and listing.pages[0].modern


def check(listing: Listing, context: Context) -> Remarks:
    earlier, now = context.memory[listing.name], _remember(listing)
    context.memory[listing.name] = now
    differing = sorted(earlier.names ^ now.names)
    if differing:
        some = ", ".join(name[:40] for name in differing[:_SHOWN])
        yield warning(f"{listing.name} gives something else than in frame {earlier.seq}: {some} differ")


def _milliseconds(value: Any) -> float:
    return value if type(value) in (int, float) else 0


def _remember(listing: Listing) -> Earlier:
    good = min((_milliseconds(page.result.get("ttlMs")) for page in listing.pages), default=0)
    place = listing.pages[-1].place
    first = listing.pages[0].place
    return Earlier(frozenset(part.name for part in listing), place.seq, first.mono + good * _MILLISECOND)
