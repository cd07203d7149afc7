"""Answers that nobody asked for are ignored.

Judged on retries with such an answer that are right in everything else: -32602 then is about it. Another error remains
open.
"""

from mcptest.compliance.kit import Context, Exchange, Inconclusive, Remarks, remark
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.compliance.rules.mrtr import _retries
from mcptest.compliance.rules.mrtr._retries import (
    ANSWERED_RETRIES,
    changed,
    extra,
    malformed,
    missing,
    questions,
    responses,
    same_state,
)
from mcptest.protocol import errors

ID = "MRTR-010"
ON = ANSWERED_RETRIES._replace(noun="retries with more answers than questions")
MEMORY, WATCH, watch = _retries.MEMORY, _retries.WATCH, _retries.watch


def applies(exchange: Exchange, context: Context) -> bool:
    retry = exchange.request
    if refused_for_other_reasons(exchange):
        return False
    found = context.memory.fitting(retry)
    return bool(found) and all(
        extra(asked, retry)
        and same_state(asked, retry)
        and not missing(asked, retry)
        and not changed(asked, retry)
        and not malformed(questions(asked), responses(retry))
        for asked in found
    )


def check(exchange: Exchange) -> Remarks:
    if exchange.code == errors.INVALID_PARAMS:
        yield remark("An answer that nobody asked for is refused instead of ignored", "/error")
    elif exchange.error:
        raise Inconclusive("the retry failed, perhaps for another reason than the answer too many")
