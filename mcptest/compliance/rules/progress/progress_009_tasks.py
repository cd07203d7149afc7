"""Progress of a task keeps the token of its request, and ends with the task.

A task is known by the answer that created it; its end by a status that says so. Over HTTP progress may have taken
another way and come later, so there that is warned about.
"""

from typing import Any

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Id,
    Message,
    Remarks,
    notifications,
    remark,
    results,
    warning,
)
from mcptest.compliance.rules.progress._tokens import PROGRESSES, token_asked, token_told

ID = "PROGRESS-009"
ON = PROGRESSES._replace(noun="progress notifications of tasks")
WATCH = (results(), notifications("notifications/tasks/status"))
RELATED = "io.modelcontextprotocol/related-task"
_ENDED = ("completed", "failed", "cancelled")
_MOST = 10_000


class MEMORY:
    """Each side's tasks by their ids: the token, and how each ended."""

    def __init__(self) -> None:
        self.tokens: dict[str, dict[str, Id | None]] = {CLIENT: {}, SERVER: {}}
        self.ended: dict[str, dict[str, Message]] = {CLIENT: {}, SERVER: {}}


def watch(subject: Exchange | Message, context: Context) -> None:
    if isinstance(subject, Message):
        _note_status(subject.params, subject, context)
    elif subject.method.startswith("tasks/"):
        _note_status(subject.result, subject.place, context)
    elif "task" in subject.params and type(subject.result.get("task")) is dict:
        name, tokens = _name(subject.result["task"]), context.memory.tokens[subject.sender]
        if name is not None and len(tokens) < _MOST:
            tokens[name] = token_asked(subject.request)
        _note_status(subject.result["task"], subject.place, context)


def _note_status(task: dict[str, Any], message: Message, context: Context) -> None:
    name = _name(task)
    if name in context.memory.tokens[message.sender] and task.get("status") in _ENDED:
        context.memory.ended[message.sender].setdefault(name, message)


def applies(message: Message, context: Context) -> bool:
    return _task(message) in context.memory.tokens[message.sender]


def check(message: Message, context: Context) -> Remarks:
    task, memory = _task(message), context.memory
    if memory.tokens[message.sender][task] != token_told(message):
        yield remark("The token is not that of the request that the task came from", "/params/progressToken")
    end = memory.ended[message.sender].get(task)
    if end is not None:
        context.rely_on_past()
        say = remark if context.history.transport == "stdio" else warning
        yield say(f"Progress comes after the end of the task in frame {end.seq}")


def _task(message: Message) -> str | None:
    """The task that progress is about: the one it names, or the one that its request became."""
    related = message.meta.get(RELATED)
    if type(related) is dict:
        return _name(related)
    created = message.about.result.get("task") if message.about is not None else None
    return _name(created) if type(created) is dict else None


def _name(task: dict[str, Any]) -> str | None:
    name = task.get("taskId")
    return name if type(name) is str else None
