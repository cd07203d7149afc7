"""A notification has no id, and nobody answers it.

A message whose method starts with `notifications/` must not have an `id` member, not even null. On stdio an error
without an id that comes right after a notification, when nothing else is open that it could be about, is warned about:
somebody seems to have answered the notification. Over HTTP the answer to a POST is in its own exchange: a response
there, where only notifications were sent, breaks the rule unless the status says that the POST was refused.
"""

from dataclasses import dataclass, field

from mcptest.compliance.kit import (
    NO_ID,
    OTHER,
    OVER_HTTP,
    Context,
    Line,
    Message,
    Remarks,
    calls,
    later,
    lines,
    remark,
    responses,
    warning,
)

ID = "JSONRPC-009"
ON = (calls._replace(noun="notifications"), responses)
WATCH = lines


@dataclass
class MEMORY:
    last: dict[str, Message] = field(default_factory=dict)  # the last frame of a side, if it was a notification


def watch(line: Line, context: Context) -> None:
    last = line.messages[-1] if line.messages else None
    if last is not None and last.kind == "notification" and not line.array:
        context.memory.last[line.sender] = last
    else:
        context.memory.last.pop(line.sender, None)


def applies(message: Message, context: Context) -> bool:
    if message.method is not None:
        return message.method.startswith("notifications/")
    return _answered(message, context) is not None


def check(message: Message, context: Context) -> Remarks:
    if message.kind == "request":
        yield remark(f"The notification {message.method} has an id", "/id")
    elif message.kind == "response":
        notification = _answered(message, context)
        assert notification is not None
        say = warning if message.http is None else remark
        yield say(
            f"An error without an id follows {notification.method} in frame {notification.seq}: it seems to answer it"
            if message.http is None
            else f"A response answers {notification.method} in frame {notification.seq}"
        )


def _answered(message: Message, context: Context) -> Message | None:
    """The notification that an error without an id can only be about, or that a POST was made of."""
    if message.http is not None:
        sent = message.http.sent
        silent = bool(sent) and all(one.kind == "notification" for one in sent)
        return sent[-1] if message.kind == "response" and silent and message.http.ok else None
    if context.history.transport in OVER_HTTP:
        return None  # the beginning of its exchange was not captured
    if message.kind != "response" or message.stray != NO_ID or message.fault is not None or not message.error:
        return None
    asker = OTHER[message.sender]
    notification: Message | None = context.memory.last.get(asker)
    if notification is None or later(notification, message) or any(context.history.in_flight(asker)):
        return None
    return notification
