"""A request is cancelled while it is in progress.

The answer and the cancellation may cross: only a cancellation that comes later than that is judged to be too late. A
server that ends what its client listens to is CANCEL-006.
"""

from mcptest.compliance.kit import Context, Message, Remarks, later, remark
from mcptest.compliance.rules.cancel._ids import CANCELLATIONS

ID = "CANCEL-002"
ON = CANCELLATIONS


def applies(message: Message) -> bool:
    return message.about is not None and message.about.asker == message.sender


def check(message: Message, context: Context) -> Remarks:
    answer = message.about.answer if message.about is not None else None
    if answer is not None and later(answer, message):
        context.rely_on_past()
        waited = (message.mono - answer.mono) / 1e9
        yield remark(f"The request was answered {waited:.1f} s before, in frame {answer.seq}", "/params/requestId")
