"""A client refuses a history whose tool results are missing or mixed with something else, with -32602.

Judged where a server sent such a history (SAMPLE-009, SAMPLE-010) to a client that declared `sampling.tools`.
"""

from mcptest.compliance.kit import CLIENT, Exchange, Part, Remarks, answers
from mcptest.compliance.rules.sample._messages import METHOD, mixed, unmatched
from mcptest.protocol import errors

ID = "SAMPLE-016"
ON = answers(METHOD).of(CLIENT)._replace(noun="requests with a bad history")


def applies(exchange: Exchange) -> bool:
    declared = exchange.request.client_capabilities
    question = Part("question", METHOD, exchange.params, exchange.request, "/params")
    bad = next(mixed(question), None) is not None or any(found.missing for found in unmatched(question))
    return bad and declared is not None and declared.declares("sampling", "tools")


def check(exchange: Exchange) -> Remarks:
    if exchange.code != errors.INVALID_PARAMS:
        how = f"refused with {exchange.code}" if exchange.error else "answered"
        yield f"A history with missing or mixed tool results was {how} instead of refused with -32602"
