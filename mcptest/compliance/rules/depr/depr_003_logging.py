"""Log messages are not sent to clients any more.

Logging is deprecated since 2026-07-28, and still allowed: asking for log messages, and sending them, is warned about.
Declaring it is mentioned. Each is said once a session.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Message,
    Part,
    Remarks,
    info,
    notifications,
    remark,
    requests,
)
from mcptest.compliance.rules.depr._declared import SERVER_DECLARES, Once, declares
from mcptest.protocol import LOG_LEVEL

ID = "DEPR-003"
ON = (SERVER_DECLARES, requests().of(CLIENT), notifications("notifications/message").of(SERVER))


class MEMORY(Once):
    """With what was seen of log messages: that they are asked for, that they are sent."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()


def applies(subject: Part | Message, context: Context) -> bool:
    if isinstance(subject, Part):
        return bool(context.memory.is_first(subject, "logging"))
    if subject.kind in context.memory.seen or not subject.modern:
        return False
    if subject.kind == "request" and LOG_LEVEL not in subject.meta:
        return False
    context.memory.seen.add(subject.kind)
    return True


def check(subject: Part | Message) -> Remarks:
    if isinstance(subject, Part):
        if declares(subject.value, "logging"):
            yield info("The server declares logging, which is deprecated", "/logging")
    elif subject.kind == "notification":
        yield remark("A log message is sent to the client, which is deprecated", "/method")
    else:
        yield remark("The request asks for log messages, which is deprecated", "/params/_meta")
