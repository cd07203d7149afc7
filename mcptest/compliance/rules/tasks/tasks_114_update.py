"""An update of a task answers what the task asks for.

A key that it never asked for breaks the rule where the capture has the task from its beginning, and so does an answer
that is none to its question. One that was answered before is warned about.
"""

from mcptest.compliance.kit import CLIENT, Context, Inconclusive, Message, Remarks, pointer, remark, requests, warning
from mcptest.compliance.rules.mrtr._retries import malformed, responses
from mcptest.compliance.rules.tasks import _questions
from mcptest.compliance.rules.tasks._tasks import asked_for

ID = "TASKS-114"
ON = requests("tasks/update").of(CLIENT)._replace(noun="updates")
WATCH, watch = _questions.SHOWING, _questions.note


class MEMORY(_questions.Questions):
    """With the frames that answered each key."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: dict[tuple[str, str], int] = {}


def applies(message: Message) -> bool:
    return message.modern and bool(asked_for(message)) and bool(responses(message))


def check(message: Message, context: Context) -> Remarks:
    task, memory, given = asked_for(message), context.memory, responses(message)
    asked = {key: memory.asked[task, key] for key in given if (task, key) in memory.asked}
    for at, text in malformed(asked, given):
        yield remark(f"The answer is none to its question: {text}", "/params/inputResponses" + at)
    for key in given:
        at = pointer("params", "inputResponses", key)
        if key not in asked:
            if task not in memory.created or context.history.incomplete_past:
                raise Inconclusive("the task may have asked for it where the capture does not show it")
            yield remark(f"The task never asked for {key[:80]!r}", at)
        elif (task, key) in memory.answered:
            yield warning(f"{key[:80]!r} was answered before, in frame {memory.answered[task, key]}", at)
        else:
            memory.answered[task, key] = message.seq
