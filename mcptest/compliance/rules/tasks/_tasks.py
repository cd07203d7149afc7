"""Tasks as both eras have them: the receipts that create them, and all that is said of them later.

In 2025-11-25 the requestor asks for a task by `task` in the params, and gets it under `task` in the result; either side
may be the receiver. Since 2026-07-28 it is the server that makes a task of a call, and says so by `resultType`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from mcptest.compliance.kit import (
    OTHER,
    SERVER,
    Context,
    Exchange,
    Message,
    Part,
    answers,
    inside,
    notifications,
    pointer,
    requests,
    results,
)
from mcptest.protocol import errors

EXTENSION = "io.modelcontextprotocol/tasks"
RELATED = "io.modelcontextprotocol/related-task"
AUGMENTED = ("tools/call", "sampling/createMessage", "elicitation/create")
NAMING = ("tasks/get", "tasks/result", "tasks/update", "tasks/cancel")  # the requests that name a task
ENDED = ("completed", "failed", "cancelled")
STATUSES = ("working", "input_required", *ENDED)
RECEIPT, LISTED = "receipt", "listed"
_MOST = 10_000

_BARRED = re.compile(r"auth|permission|forbidden|denied|rate.?limit|too many|quota", re.IGNORECASE)

Key = tuple[str, str]  # who has the task, and its id


def receipt(exchange: Exchange) -> Part | None:
    """The task that a request became."""
    if exchange.answer is None:
        return None
    if exchange.modern:
        if exchange.result.get("resultType") == "task":
            return Part("task", _name(exchange.result), exchange.result, exchange.answer, "/result", RECEIPT)
    elif "task" in exchange.params and type(exchange.result.get("task")) is dict:
        task = exchange.result["task"]
        return Part("task", _name(task), task, exchange.answer, "/result/task", RECEIPT)
    return None


def _receipts(exchange: Exchange) -> Iterable[Part]:
    found = receipt(exchange)
    return () if found is None else (found,)


def _answered(exchange: Exchange) -> Iterable[Part]:
    """What the answer to a request about a task says of it; of a cancellation in the older era only."""
    if exchange.answer is None or (exchange.modern and exchange.method != "tasks/get"):
        return ()
    return (Part("task", _name(exchange.result), exchange.result, exchange.answer, "/result", exchange.method),)


def _listed(exchange: Exchange) -> Iterable[Part]:
    found = exchange.result.get("tasks")
    if exchange.answer is None or type(found) is not list:
        return ()
    return [
        Part("task", _name(task), task, exchange.answer, pointer("result", "tasks", at), LISTED)
        for at, task in enumerate(found)
    ]


def _notified(message: Message) -> Iterable[Part]:
    return (Part("task", _name(message.params), message.params, message, "/params", message.name),)


def _name(task: Any) -> str:
    name = task.get("taskId") if type(task) is dict else None
    return name if type(name) is str else ""


def _wanting(message: Message) -> tuple[Message, ...]:
    return (message,) if "task" in message.params and not message.modern else ()


def _wanted(exchange: Exchange) -> tuple[Exchange, ...]:
    return (exchange,) if "task" in exchange.request.params and not exchange.request.modern else ()


# Requests that ask for a task, in the older era, and what they came to.
WANTING = inside(requests(*AUGMENTED), _wanting, "requests for tasks")
WANTED = inside(answers(*AUGMENTED), _wanted, "requests for tasks")
RECEIPTS = inside(results(*AUGMENTED), _receipts, "tasks")
ANSWERED = inside(results("tasks/get", "tasks/cancel"), _answered, "tasks")
STATES = notifications("notifications/tasks/status", "notifications/tasks")
NOTIFIED = inside(STATES, _notified, "tasks")
# All that is said of tasks: when they begin, when they are asked for or listed, when their state changes.
SAID = (RECEIPTS, ANSWERED, inside(results("tasks/list"), _listed, "tasks"), NOTIFIED)
# The whole state of a task, with what belongs to it: since 2026-07-28.
DETAILED = (
    inside(results("tasks/get").of(SERVER), _answered, "states"),
    inside(STATES.of(SERVER), _notified, "states"),
)


class Tasks:
    """What was said of each task so far. `created` has the exchange that it came from, `last` what was said last,
    `ended` what first said that it was over, `named` every task that anybody has spoken of."""

    def __init__(self) -> None:
        self.created: dict[Key, Exchange] = {}
        self.last: dict[Key, Part] = {}
        self.ended: dict[Key, Part] = {}
        self.named: set[Key] = set()

    def note(self, subject: Part | Message) -> None:
        if isinstance(subject, Message):
            key = OTHER[subject.sender], asked_for(subject)
            if key[1]:
                self._name(key)
            return
        key = subject.sender, subject.name
        if not subject.name or not self._name(key):
            return
        self.last[key] = subject
        if subject.where == RECEIPT and subject.message.answers is not None:
            self.created.setdefault(key, subject.message.answers)
        if subject.members.get("status") in ENDED:
            self.ended.setdefault(key, subject)

    def _name(self, key: Key) -> bool:
        if key not in self.named and len(self.named) < _MOST:
            self.named.add(key)
        return key in self.named


MEMORY, WATCH = Tasks, (*SAID, requests(*NAMING))


def watch(subject: Part | Message, context: Context) -> None:
    context.memory.note(subject)


def asked_for(request: Message) -> str:
    """The task that a request names; empty where it names none."""
    return _name(request.params)


def key_of(exchange: Exchange) -> Key:
    """The task that an exchange is about."""
    return exchange.sender, asked_for(exchange.request)


def related(message: Message) -> str | None:
    """The task that a message says it belongs to; empty where it says so without a proper id."""
    found = message.meta.get(RELATED)
    return None if RELATED not in message.meta else _name(found)


def moment(value: Any) -> float | None:
    """A time by ISO 8601, in seconds; one without a zone is taken for UTC."""
    if type(value) is not str:
        return None
    try:
        found = datetime.fromisoformat(value.upper())
    except ValueError:
        return None
    return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp()


def declares(message: Message, side: str, *path: str) -> bool | None:
    """Did this side declare the feature, as of the message? None: not known."""
    capabilities = message.capabilities(side)
    return None if capabilities is None else capabilities.declares(*path)


def barred(exchange: Exchange) -> bool:
    """Was it refused for who asks, or how often, and not for the task?"""
    return exchange.code in errors.STATELESS or _BARRED.search(str(exchange.error.get("message", ""))[:500]) is not None


def is_number(value: Any) -> bool:
    return type(value) in (int, float)
