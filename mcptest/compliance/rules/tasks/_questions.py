"""What a task has asked its client for, and what was answered."""

from __future__ import annotations

from typing import Any

from mcptest.compliance.kit import Context, Part
from mcptest.compliance.rules.tasks._tasks import DETAILED, RECEIPTS

SHOWING = (RECEIPTS, *DETAILED)
_MOST = 10_000


def questions(task: Part) -> dict[str, Any]:
    found = task.members.get("inputRequests")
    return found if type(found) is dict and task.message.modern else {}


class Questions:
    """`asked` are the first requests under each key of a task, `created` the tasks that began in this session."""

    def __init__(self) -> None:
        self.asked: dict[tuple[str, str], Any] = {}
        self.created: set[str] = set()

    def note(self, task: Part) -> None:
        if task.where == "receipt" and len(self.created) < _MOST:
            self.created.add(task.name)
        for key, value in questions(task).items():
            if len(self.asked) < _MOST:
                self.asked.setdefault((task.name, key), value)


def note(task: Part, context: Context) -> None:
    context.memory.note(task)
