"""A cursor that the server never gave is refused with -32602.

Judged on cursors that are surely none of the server's: those of a session that the capture has from its start, with a
handshake, and those that a probe of ours made up.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, answers, remark, results
from mcptest.compliance.rules.page._cursors import LISTS, Given
from mcptest.protocol import errors

ID = "PAGE-004"
ON = answers(*LISTS).of(SERVER)._replace(noun="invalid cursors")
MEMORY = Given
WATCH = results(*LISTS).of(SERVER)


def watch(exchange: Exchange, context: Context) -> None:
    context.memory.add(exchange)


def applies(exchange: Exchange, context: Context) -> bool:
    cursor = exchange.params.get("cursor")
    if type(cursor) is not str or exchange.cancelled is not None or exchange.code in errors.STATELESS:
        return False
    if context.history.incomplete_past or context.memory.elsewhere(cursor) is not None:
        return False
    return exchange.synthetic or not exchange.modern


def check(exchange: Exchange) -> Remarks:
    cursor = exchange.params["cursor"][:80]
    if not exchange.error:
        yield f"The invalid cursor {cursor!r} got a page, not the error -32602"
    elif exchange.code != errors.INVALID_PARAMS:
        code = exchange.error.get("code")
        yield remark(f"The invalid cursor {cursor!r} was refused with {code}, not with -32602", "/error/code")
