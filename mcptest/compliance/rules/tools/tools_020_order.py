"""The same tools are listed in the same order.

Judged on a whole list that has the same names as the one before it, unless the server announced a change in between.
"""

from mcptest.compliance.kit import SERVER, Context, Listing, Message, Remarks, listings, notifications

ID = "TOOLS-020"
ON = listings("tools/list")
WATCH = (listings("tools/list"), notifications("notifications/tools/list_changed").of(SERVER))


class MEMORY:
    def __init__(self) -> None:
        self.before: list[str] | None = None
        self.now: list[str] | None = None


def watch(subject: Listing | Message, context: Context) -> None:
    memory = context.memory
    memory.before = memory.now
    memory.now = [tool.name for tool in subject] if isinstance(subject, Listing) else None


def applies(_: Listing, context: Context) -> bool:
    before, now = context.memory.before, context.memory.now
    return before is not None and now is not None and sorted(before) == sorted(now)


def check(_: Listing, context: Context) -> Remarks:
    pairs = zip(context.memory.before, context.memory.now, strict=True)
    for place, (before, now) in enumerate(pairs, 1):
        if before != now:
            yield f"The same tools come in another order: number {place} was {before[:80]!r} and is {now[:80]!r}"
            return
