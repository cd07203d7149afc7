"""The cursor of the next page is a string.

Where there is no next page it is left out. Null in its place breaks the shape until 2025-11-25; since 2026-07-28 the
text reads it as no cursor, so it is only warned about. `expect.null` is `refused` or `discouraged`.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, a, remark, results, warning
from mcptest.compliance.rules.page._cursors import WITH_TASKS

ID = "PAGE-001"
ON = results(*WITH_TASKS).of(SERVER)._replace(noun="pages with a cursor")
EXPECT = {"null"}


def applies(exchange: Exchange) -> bool:
    return "nextCursor" in exchange.result


def check(exchange: Exchange, context: Context) -> Remarks:
    cursor = exchange.result["nextCursor"]
    if type(cursor) is not str:
        say = warning if cursor is None and context.expect["null"] == "discouraged" else remark
        yield say(f"nextCursor is {a(cursor)}, not a string", "/result/nextCursor")
