"""A retry repeats the request, and answers what was asked for.

An answer that is none to its question breaks the rule. One that is missing, and other parameters that have changed, are
warned about: the server may ask again. A retry is taken for that of the result it fits best.
"""

from mcptest.compliance.kit import Context, Exchange, Message, Remark, Remarks, remark, warning
from mcptest.compliance.rules._start import rely_on_start
from mcptest.compliance.rules.mrtr import _retries
from mcptest.compliance.rules.mrtr._retries import (
    RESPONSES,
    RETRIES,
    changed,
    malformed,
    missing,
    questions,
    responses,
)

ID = "MRTR-007"
ON = RETRIES
MEMORY, WATCH, watch = _retries.MEMORY, _retries.WATCH, _retries.watch


def applies(message: Message, context: Context) -> bool:
    return bool(context.memory.of(message))


def check(message: Message, context: Context) -> Remarks:
    least: list[Remark | str] | None = None
    for asked in reversed(context.memory.fitting(message)):
        found = list(_faults(asked, message))
        if not found:
            return
        if least is None or len(found) < len(least):
            least = found
    rely_on_start(context)
    yield from least or ()


def _faults(asked: Exchange, retry: Message) -> Remarks:
    for at, text in malformed(questions(asked), responses(retry)):
        yield remark(f"The answer is none to its question: {text}", f"/params/{RESPONSES}{at}")
    for key in missing(asked, retry):
        yield warning(f"{key[:80]!r} was asked for in frame {asked.place.seq} and is not answered", "/params")
    for key in changed(asked, retry):
        yield warning(f"{key[:80]} differs from the request in frame {asked.request.seq}", "/params")
