"""A client refuses a mode that it did not declare, with -32602.

Judged where a server asked for such a mode (ELICIT-004) and the client did declare elicitation.
"""

from mcptest.compliance.kit import CLIENT, Exchange, Remarks, answers, remark
from mcptest.compliance.rules.elicit._forms import METHOD, asked_in, undeclared_mode
from mcptest.protocol import errors

ID = "ELICIT-012"
ON = answers(METHOD).of(CLIENT)._replace(noun="elicitations in undeclared modes")


def applies(exchange: Exchange) -> bool:
    return undeclared_mode(asked_in(exchange)) is not None


def check(exchange: Exchange) -> Remarks:
    mode = undeclared_mode(asked_in(exchange))
    if not exchange.error:
        yield f"The client answered an elicitation by {mode}, which it did not declare, instead of refusing it"
    elif exchange.code != errors.INVALID_PARAMS:
        yield remark(f"An elicitation by {mode}, which is not declared, is refused with -32602", "/error/code")
