"""`requestState` comes back exactly as it was given, and not at all where none was.

Judged against all results that asked for input under the same method and name; the same state may come back several
times. Open where secrets were removed from either side, or where the result may not have been captured.
"""

from mcptest.compliance.kit import Context, Inconclusive, Message, Remarks, remark
from mcptest.compliance.rules._start import rely_on_start
from mcptest.compliance.rules.mrtr import _retries
from mcptest.compliance.rules.mrtr._retries import RETRIES, STATE, same_state

ID = "MRTR-006"
ON = RETRIES
MEMORY, WATCH, watch = _retries.MEMORY, _retries.WATCH, _retries.watch


def applies(message: Message, context: Context) -> bool:
    return bool(context.memory.of(message))


def check(message: Message, context: Context) -> Remarks:
    found = context.memory.of(message)
    if any(same_state(asked, message) for asked in found):
        return
    rely_on_start(context)
    if message.redacted or any(asked.place.redacted for asked in found):
        raise Inconclusive("secrets were removed, perhaps from the state")
    if STATE not in message.params:
        yield remark(f"The requestState of frame {found[-1].place.seq} does not come back", "/params")
    elif any(STATE in asked.result for asked in found):
        yield remark(f"requestState is not what frame {found[-1].place.seq} gave", "/params/requestState")
    else:
        yield remark("There is a requestState, and none was given", "/params/requestState")
