"""`inputResponses` and `requestState` are sent only with the retry of what asked for them.

On another method, or with a state that was given for another method or name, they break the rule. Where nothing asked
for input, it was perhaps before this capture: answers without a state break the rule only if the capture has all there
was.
"""

from mcptest.compliance.kit import Context, Inconclusive, Message, Remarks, remark
from mcptest.compliance.rules._asks import ASKING
from mcptest.compliance.rules._start import rely_on_start
from mcptest.compliance.rules.mrtr import _retries
from mcptest.compliance.rules.mrtr._retries import BRINGING, RESPONSES, STATE, place
from mcptest.protocol import CORE_METHODS

ID = "MRTR-008"
ON = BRINGING
MEMORY, WATCH, watch = _retries.MEMORY, _retries.WATCH, _retries.watch


def applies(message: Message) -> bool:
    # What an extension's own methods take is for it to say; tasks/update takes answers (TASKS-114).
    return message.method in CORE_METHODS and message.name != "tasks/update"


def check(message: Message, context: Context) -> Remarks:
    key = STATE if STATE in message.params else RESPONSES
    if message.method not in ASKING:
        yield remark(f"{message.name} brings {key}, and can never have been asked for input", f"/params/{key}")
        return
    if context.memory.of(message):
        return
    given = context.memory.states.get(message.params.get(STATE)) if type(message.params.get(STATE)) is str else None
    if given is not None:
        method, name = given
        if given != place(message):
            context.rely_on_past()  # the same state may have been given for this, too
            yield remark(f"The requestState was given for {method} {name[:80]!r}", "/params/requestState")
        return
    rely_on_start(context)
    if STATE in message.params:
        raise Inconclusive("what it answers may have been asked before this capture")
    yield remark("There are answers, and nothing was asked for by this method and name", "/params/inputResponses")
