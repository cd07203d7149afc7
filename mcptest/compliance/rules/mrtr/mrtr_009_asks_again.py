"""Where answers are missing, the server asks again instead of failing.

Judged on retries that lack an answer and are right in everything else. An error for another reason (a permission, a
capability, the load) is not judged.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, remark
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.compliance.rules.mrtr import _retries
from mcptest.compliance.rules.mrtr._retries import (
    ANSWERED_RETRIES,
    malformed,
    missing,
    questions,
    responses,
    same_state,
)

ID = "MRTR-009"
ON = ANSWERED_RETRIES._replace(noun="retries without an answer")
MEMORY, WATCH, watch = _retries.MEMORY, _retries.WATCH, _retries.watch


def applies(exchange: Exchange, context: Context) -> bool:
    retry = exchange.request
    if refused_for_other_reasons(exchange):
        return False
    found = context.memory.fitting(retry)
    return bool(found) and all(
        missing(asked, retry) and same_state(asked, retry) and not malformed(questions(asked), responses(retry))
        for asked in found
    )


def check(exchange: Exchange) -> Remarks:
    if exchange.error:
        yield remark("An answer was missing, and the server fails instead of asking again", "/error")
