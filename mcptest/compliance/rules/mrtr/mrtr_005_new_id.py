"""A retry is a request of its own, with another id than the one it repeats.

It is a retry of what asked for input under the same method and name, and with the state that it brings. As long as one
of those had another id, nothing is said.
"""

from mcptest.compliance.kit import Context, Message, Remarks, remark
from mcptest.compliance.rules._start import rely_on_start
from mcptest.compliance.rules.mrtr import _retries
from mcptest.compliance.rules.mrtr._retries import RETRIES

ID = "MRTR-005"
ON = RETRIES
MEMORY, WATCH, watch = _retries.MEMORY, _retries.WATCH, _retries.watch


def applies(message: Message, context: Context) -> bool:
    return bool(context.memory.of(message))


def check(message: Message, context: Context) -> Remarks:
    found = context.memory.fitting(message)
    if all(asked.request.id == message.id for asked in found):
        rely_on_start(context)
        yield remark(f"The retry has the id of the request in frame {found[-1].request.seq} that it repeats", "/id")
