"""Malformed answers are refused with an error.

`inputResponses` that is no object, or an answer that is none to its question. Asking again is as good. A tool that
fails may have failed for that: it remains open.
"""

from mcptest.compliance.kit import Context, Exchange, Inconclusive, Remarks, remark
from mcptest.compliance.rules.mrtr import _retries
from mcptest.compliance.rules.mrtr._retries import (
    ANSWERED_RETRIES,
    RESPONSES,
    malformed,
    paused,
    questions,
    responses,
)

ID = "MRTR-012"
ON = ANSWERED_RETRIES._replace(noun="retries with malformed answers")
MEMORY, WATCH, watch = _retries.MEMORY, _retries.WATCH, _retries.watch


def applies(exchange: Exchange, context: Context) -> bool:
    retry = exchange.request
    if RESPONSES in retry.params and type(retry.params[RESPONSES]) is not dict:
        return True
    found = context.memory.fitting(retry)
    return bool(found) and all(malformed(questions(asked), responses(retry)) for asked in found)


def check(exchange: Exchange) -> Remarks:
    if exchange.error or paused(exchange):
        return
    if exchange.result.get("isError") is True:
        raise Inconclusive("the tool failed, perhaps for the malformed answer")
    yield remark("Malformed answers were taken as if they were right", "/result")
