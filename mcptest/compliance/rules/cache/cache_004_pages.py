"""All pages of a list have the same `cacheScope`.

A page is held against the one that gave its cursor. Where several pages gave the same cursor, one of them must agree.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, remark, results
from mcptest.compliance.rules._start import rely_on_start
from mcptest.compliance.rules.cache._hints import LISTS, complete

ID = "CACHE-004"
ON = results(*LISTS).of(SERVER)._replace(noun="further pages")
WATCH = results(*LISTS).of(SERVER)
_MOST = 4096


class MEMORY:
    """The scopes of the pages that gave a cursor."""

    def __init__(self) -> None:
        self.scopes: dict[tuple[str, str], set[str]] = {}


def watch(exchange: Exchange, context: Context) -> None:
    cursor, scope = exchange.result.get("nextCursor"), exchange.result.get("cacheScope")
    if complete(exchange) and type(cursor) is str and type(scope) is str and len(context.memory.scopes) < _MOST:
        context.memory.scopes.setdefault((exchange.method, cursor), set()).add(scope)


def applies(exchange: Exchange, context: Context) -> bool:
    cursor = exchange.params.get("cursor")
    known = type(cursor) is str and (exchange.method, cursor) in context.memory.scopes
    return known and complete(exchange) and type(exchange.result.get("cacheScope")) is str


def check(exchange: Exchange, context: Context) -> Remarks:
    scopes = context.memory.scopes[exchange.method, exchange.params["cursor"]]
    scope = exchange.result["cacheScope"]
    if scope not in scopes:
        rely_on_start(context)
        before = min(scopes)
        yield remark(f"cacheScope is {scope[:40]!r}, on the page before {before[:40]!r}", "/result/cacheScope")
