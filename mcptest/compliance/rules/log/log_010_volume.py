"""Log messages do not come in floods.

More than `expect.most` within `expect.seconds` are remarked on, once in a session.
"""

from collections import deque

from mcptest.compliance.kit import Context, Message, Remarks
from mcptest.compliance.rules.log._levels import LOGS

ID = "LOG-010"
ON = LOGS
EXPECT = {"most", "seconds"}
_SECOND = 1_000_000_000


class MEMORY:
    def __init__(self) -> None:
        self.times: deque[int] = deque()
        self.said = False


def check(message: Message, context: Context) -> Remarks:
    memory, most = context.memory, context.expect["most"]
    if memory.said:
        return
    memory.times.append(message.mono)
    if len(memory.times) <= most:
        return
    first = memory.times.popleft()
    if message.mono - first < context.expect["seconds"] * _SECOND:
        memory.said = True
        yield f"More than {most} log messages within {context.expect['seconds']} s"
