"""Progress is not sent in floods.

Senders choose how often they report, so more than `expect.per_second` notifications of one request within a second are
only mentioned, once.
"""

from mcptest.compliance.kit import Context, Message, Remarks, info
from mcptest.compliance.rules.progress._tokens import PROGRESSES, PerRequest

ID = "PROGRESS-008"
ON = PROGRESSES
EXPECT = {"per_second"}
MEMORY = PerRequest[tuple[int, int]]
_SECOND = 1_000_000_000


def applies(message: Message) -> bool:
    return message.about is not None


def check(message: Message, context: Context) -> Remarks:
    assert message.about is not None
    most = context.expect["per_second"]
    since, count = context.memory.get(message.about) or (message.mono, 0)
    if count > most:
        return
    if message.mono - since >= _SECOND:
        since, count = message.mono, 0
    context.memory.put(message.about, (since, count + 1))
    if count == most:
        yield info(f"More than {most} notifications in a second")
