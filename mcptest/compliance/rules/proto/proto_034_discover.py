"""`server/discover` is implemented.

A result is right, and so is -32022 for a version that the server does not serve. Judged only if the server has shown
otherwise that it knows the stateless era: an older one does not know the method.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Inconclusive, Remarks, exchanges, modern_server, remark
from mcptest.compliance.rules.proto._parts import well_formed
from mcptest.protocol import errors

ID = "PROTO-034"
ON = exchanges("server/discover").of(SERVER)
PROVIDED = modern_server


def applies(exchange: Exchange) -> bool:
    return well_formed(exchange.request) and (exchange.answer is not None or exchange.cancelled is None)


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.answer is None:
        if context.unanswered(exchange):
            yield "The server did not answer server/discover"
    elif exchange.code == errors.HEADER_MISMATCH:
        raise Inconclusive("the request was refused for its headers")
    elif exchange.error and exchange.code != errors.UNSUPPORTED_PROTOCOL_VERSION:
        yield remark(f"server/discover was refused with {exchange.error.get('code')}", "/error")
