"""What is public is the same for everybody.

Judged where the same was asked for with two different authorizations while the first result was fresh. Warned about if
the results differ, unless a change was announced meanwhile or the first asker got something else later too.
"""

from typing import Any, NamedTuple

from mcptest.compliance.kit import SERVER, Context, Exchange, Message, Remarks, notifications, remark, results, same
from mcptest.compliance.rules.cache._hints import METHODS, complete, request_key

ID = "CACHE-007"
ON = results(*METHODS).of(SERVER)._replace(noun="public results for two askers")
_CHANGES = notifications(
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
).of(SERVER)
WATCH = _CHANGES
_MOST = 1024
_HINTS = {"ttlMs", "cacheScope", "_meta", "resultType"}


class _Kept(NamedTuple):
    asker: str
    until: float
    exchange: Exchange


class MEMORY:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, bytes], _Kept] = {}


def watch(_: Message, context: Context) -> None:
    context.memory.kept.clear()


def applies(exchange: Exchange, context: Context) -> bool:
    asker = _asker(exchange.request)
    ttl: Any = exchange.result.get("ttlMs")
    if asker is None or not complete(exchange) or exchange.result.get("cacheScope") != "public":
        return False
    key = request_key(exchange.request)
    before = context.memory.kept.get(key)
    fresh = before is not None and exchange.place.mono < before.until
    if fresh and before.asker != asker:
        return True
    if type(ttl) in (int, float) and (before is not None or len(context.memory.kept) < _MOST):
        context.memory.kept[key] = _Kept(asker, exchange.place.mono + ttl * 1e6, exchange)
    return False


def check(exchange: Exchange, context: Context) -> Remarks:
    before = context.memory.kept[request_key(exchange.request)].exchange
    if not same(_content(before), _content(exchange)):
        yield remark(f"The result is public, and in frame {before.place.seq} another asker got another one", "/result")


def _asker(request: Message) -> str | None:
    """Who asks, as far as the headers tell; None where there are none."""
    return None if request.http is None else request.http.header("authorization") or ""


def _content(exchange: Exchange) -> dict[str, Any]:
    return {key: value for key, value in exchange.result.items() if key not in _HINTS}
