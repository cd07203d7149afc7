"""A client that declares elicitation does elicit.

A proper request in a mode that the client declared is not refused as an unknown method, nor as invalid. A user who
declines is no refusal, and other errors have other reasons. Requests that break a rule themselves are not counted.
"""

from mcptest.compliance.kit import CLIENT, Exchange, Remarks, answers, remark, warning
from mcptest.compliance.rules.elicit._forms import METHOD, asked_in, sound
from mcptest.protocol import errors

ID = "ELICIT-009"
ON = answers(METHOD).of(CLIENT)._replace(noun="proper elicitations")


def applies(exchange: Exchange) -> bool:
    return sound(asked_in(exchange))


def check(exchange: Exchange) -> Remarks:
    if exchange.code == errors.METHOD_NOT_FOUND:
        yield remark("The client declared elicitation and says that it does not know the method", "/error/code")
    elif exchange.code == errors.INVALID_PARAMS:
        yield warning("The client refuses a proper elicitation, in a mode that it declared, as invalid", "/error/code")
