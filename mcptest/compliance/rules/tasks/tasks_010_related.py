"""What belongs to a task says so; what is about a task in its params does not.

A question of the server that comes while nothing but a task's result is waited for, without naming a task, is warned
about. So are requests and results of `tasks/*`, and status notifications, that name one. A task that nobody has spoken
of breaks the rule.
"""

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Message,
    Remarks,
    inside,
    notifications,
    remark,
    requests,
    results,
    warning,
)
from mcptest.compliance.rules.tasks import _tasks
from mcptest.compliance.rules.tasks._tasks import RELATED, asked_for, related

ID = "TASKS-010"
_ABOUT = ("tasks/get", "tasks/list", "tasks/cancel")
_STATUS = "notifications/tasks/status"
_QUESTIONS = ("sampling/createMessage", "elicitation/create")
_LOOKED_AT = frozenset({*_ABOUT, *_QUESTIONS, "tasks/result", _STATUS})


def _concerned(message: Message) -> tuple[Message, ...]:
    concerned = message.method in _LOOKED_AT or RELATED in message.meta
    return (message,) if concerned and not message.modern else ()


ON = (
    inside(requests(), _concerned, "messages that belong to tasks"),
    inside(notifications(), _concerned, "messages that belong to tasks"),
    results(*_ABOUT),
)
MEMORY, WATCH, watch = _tasks.MEMORY, _tasks.WATCH, _tasks.watch
_AT = "/_meta/" + RELATED.replace("/", "~1")


def applies(subject: Message | Exchange, context: Context) -> bool:
    if isinstance(subject, Exchange):
        return not subject.modern
    return (
        related(subject) is not None
        or subject.name in (*_ABOUT, "tasks/result", _STATUS)
        or _belongs(subject, context) is not None
    )


def check(subject: Message | Exchange, context: Context) -> Remarks:
    message = subject.place
    where = "/result" if isinstance(subject, Exchange) else "/params"
    named = related(message)
    if isinstance(subject, Exchange) or subject.name in (*_ABOUT, "tasks/result", _STATUS):
        if named is not None:
            yield warning("The task is named in _meta where it is named already", where + _AT)
        return
    if named is None:
        yield warning(f"It seems to belong to the task {str(_belongs(subject, context))[:80]!r}, and does not say so")
    elif not {(CLIENT, named), (SERVER, named)} & context.memory.named:
        context.rely_on_past()
        yield remark(f"Nobody has spoken of a task {named[:80]!r}", where + _AT)


def _belongs(message: Message, context: Context) -> str | None:
    """The task whose result is all that the client waits for when the server asks it something."""
    if message.sender != SERVER or message.name not in _QUESTIONS:
        return None
    waiting = list(context.history.in_flight(CLIENT))
    if context.history.transport != "stdio" or not waiting or any(one.method != "tasks/result" for one in waiting):
        return None
    return asked_for(waiting[0].request) or None
