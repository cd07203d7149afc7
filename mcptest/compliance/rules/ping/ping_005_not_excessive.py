"""Pings are not sent all the time.

The specification leaves the rate open. More than `expect.most` pings of one side within `expect.seconds` seconds are
warned about.
"""

from collections import deque

from mcptest.compliance.kit import Context, Message, Remarks, requests

ID = "PING-005"
ON = requests("ping")._replace(noun="pings")
EXPECT = {"most", "seconds"}
MEMORY = dict[str, "deque[int]"]  # when each side sent its last pings


def applies(message: Message) -> bool:
    return not message.modern


def check(message: Message, context: Context) -> Remarks:
    most, seconds = context.expect["most"], context.expect["seconds"]
    times = context.memory.setdefault(message.sender, deque(maxlen=most + 1))
    times.append(message.mono)
    if len(times) > most and times[-1] - times[0] <= seconds * 1_000_000_000:
        times.clear()
        yield f"The {message.sender} sent {most + 1} pings within {seconds} s"
