"""Going from page to page leads somewhere.

On the way through one list no cursor comes twice, and no page is the same as the one before it. A page that is read
again, with the same cursor, is not counted.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, remark, results, same
from mcptest.compliance.rules.page._cursors import LISTS, Walks
from mcptest.protocol import LISTS as KEYS

ID = "PAGE-006"
ON = results(*LISTS).of(SERVER)._replace(noun="pages with a next one")
MEMORY = Walks


def applies(exchange: Exchange) -> bool:
    return type(exchange.result.get("nextCursor")) is str


def check(exchange: Exchange, context: Context) -> Remarks:
    method, cursor, following = exchange.method, exchange.params.get("cursor"), exchange.result["nextCursor"]
    walk = context.memory.of(method, cursor)
    if walk is None or cursor in walk.steps:
        return
    entries = exchange.result.get(KEYS[method].key)
    if following in walk.given:
        yield remark(
            f"The next cursor {following[:80]!r} was given before on the way through this list", "/result/nextCursor"
        )
    elif entries and walk.page and same(entries, walk.page):
        yield "The page is the same as the one before it"
    walk.steps[cursor] = following
    walk.given.add(following)
    walk.page = entries if type(entries) is list else []
    context.memory.went_on(method, following, walk)
