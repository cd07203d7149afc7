"""Progress ends with the answer.

Judged on progress of requests whose token is known; a task goes on after the answer (PROGRESS-009), and a request that
was cancelled is CANCEL-005. Over HTTP the answer may have taken another way and come first, so there progress long
after it is warned about.
"""

from mcptest.compliance.kit import Context, Message, Remarks, later, remark, warning
from mcptest.compliance.rules.progress._tokens import PROGRESSES, is_task

ID = "PROGRESS-006"
ON = PROGRESSES


def applies(message: Message) -> bool:
    return message.about is not None and message.about.cancelled is None and not is_task(message.about)


def check(message: Message, context: Context) -> Remarks:
    answer = message.about.answer if message.about is not None else None
    if answer is None or answer.seq > message.seq:
        return
    context.rely_on_past()
    text = f"Progress comes after the answer in frame {answer.seq}"
    if context.history.transport == "stdio":
        yield remark(text)
    elif later(answer, message):
        yield warning(text)
