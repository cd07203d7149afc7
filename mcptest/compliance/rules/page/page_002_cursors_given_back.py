"""A client sends back the cursors that it was given, unchanged and to the same method.

One that was given for another method is warned about. One that nobody gave in this session fails where the capture has
the session from its start; without sessions, since 2026-07-28, it may have been given before, and that remains open.
`expect.unseen` is `failed` or `open`.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Inconclusive,
    Message,
    Remarks,
    remark,
    requests,
    results,
    warning,
)
from mcptest.compliance.rules.page._cursors import WITH_TASKS, Given

ID = "PAGE-002"
ON = requests(*WITH_TASKS).of(CLIENT)._replace(noun="cursors")
EXPECT = {"unseen"}
MEMORY = Given
WATCH = results(*WITH_TASKS).of(SERVER)


def watch(exchange: Exchange, context: Context) -> None:
    context.memory.add(exchange)


def applies(message: Message) -> bool:
    return type(message.params.get("cursor")) is str


def check(message: Message, context: Context) -> Remarks:
    given, cursor = context.memory, message.params["cursor"]
    if given.has(message.name, cursor):
        return
    context.rely_on_past()
    other = given.elsewhere(cursor)
    if other is not None:
        yield warning(f"The cursor was given for {other}, not for {message.method}", "/params/cursor")
    elif context.expect["unseen"] == "open":
        raise Inconclusive("the cursor may have been given before this session")
    else:
        yield remark(f"No page of {message.method} gave the cursor {cursor[:80]!r}", "/params/cursor")
