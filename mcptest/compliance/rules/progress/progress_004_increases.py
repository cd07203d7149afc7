"""Progress increases from one notification to the next.

Each request counts by itself, also where a token is used again. Only numbers are compared. Over HTTP the two may have
taken different ways, so there a step back is warned about, and one that is repeated word for word was delivered again.
"""

from mcptest.compliance.kit import Context, Message, Remarks, remark, warning
from mcptest.compliance.rules.progress._tokens import PROGRESSES, PerRequest

ID = "PROGRESS-004"
ON = PROGRESSES
MEMORY = PerRequest[Message]


def applies(message: Message) -> bool:
    return message.about is not None and type(message.params.get("progress")) in (int, float)


def check(message: Message, context: Context) -> Remarks:
    assert message.about is not None
    before = context.memory.get(message.about)
    direct = context.history.transport == "stdio"
    if before is None or message.params["progress"] > before.params["progress"]:
        context.memory.put(message.about, message)
    elif direct or message.raw != before.raw:
        context.rely_on_past()
        say = remark if direct else warning
        last, now = before.params["progress"], message.params["progress"]
        yield say(f"Progress goes from {last} (frame {before.seq}) to {now}", "/params/progress")
