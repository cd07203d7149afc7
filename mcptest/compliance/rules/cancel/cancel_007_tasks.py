"""A request that became a task is cancelled with `tasks/cancel`.

Before the answer there is no task yet that could be named: a cancellation then is only mentioned.
"""

from mcptest.compliance.kit import Message, Remarks, info, later, remark
from mcptest.compliance.rules.cancel._ids import CANCELLATIONS

ID = "CANCEL-007"
ON = CANCELLATIONS._replace(noun="cancellations of tasks")


def applies(message: Message) -> bool:
    about = message.about
    if about is None or about.asker != message.sender:
        return False
    if about.answer is None:
        return "task" in about.params
    return "task" in about.result or about.result.get("resultType") == "task"


def check(message: Message) -> Remarks:
    answer = message.about.answer if message.about is not None else None
    if answer is None:
        yield info("A request that is to become a task is cancelled before it did", "/params/requestId")
    elif later(answer, message):
        yield remark(
            f"The request became a task in frame {answer.seq}, and is not cancelled as one", "/params/requestId"
        )
