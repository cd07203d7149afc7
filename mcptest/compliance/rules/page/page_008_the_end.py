"""A page without a next cursor is the last.

Mentioned if the client then goes on with a cursor that it had used before, on the way to that page. Since 2026-07-28 a
page may be read again when it is out of date.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Message, Remarks, info, later, requests, results
from mcptest.compliance.rules.page._cursors import LISTS, Walks

ID = "PAGE-008"
ON = requests(*LISTS).of(CLIENT)._replace(noun="cursors")
MEMORY = Walks
WATCH = results(*LISTS).of(SERVER)


def watch(exchange: Exchange, context: Context) -> None:
    cursor, following = exchange.params.get("cursor"), exchange.result.get("nextCursor")
    walk = context.memory.of(exchange.method, cursor)
    if walk is None:
        return
    if type(following) is str:
        walk.steps[cursor] = following
        context.memory.went_on(exchange.method, following, walk)
    elif following is None:
        walk.ended = walk.ended or exchange


def applies(message: Message, context: Context) -> bool:
    cursor = message.params.get("cursor")
    return cursor is not None and context.memory.of(message.name, cursor) is not None


def check(message: Message, context: Context) -> Remarks:
    cursor = message.params["cursor"]
    walk = context.memory.of(message.name, cursor)
    if walk.ended is not None and later(walk.ended.place, message):
        seq = walk.ended.place.seq
        yield info(
            f"The list was read to its end in frame {seq}; the client goes on with an older cursor", "/params/cursor"
        )
