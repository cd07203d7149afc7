"""Whoever polls a task waits as long as is suggested.

`expect.interval` is the member that suggests it. Judged between two `tasks/get` with nothing else about the task
between them; a tenth less is tolerated. What comes after the task is over, or needs input, is not polling.
"""

from typing import NamedTuple

from mcptest.compliance.kit import Context, Message, Part, Remarks, remark, requests
from mcptest.compliance.rules.tasks._tasks import ANSWERED, NAMING, NOTIFIED, Key, asked_for, is_number

ID = "TASKS-016"
ON = requests("tasks/get")._replace(noun="polls")
EXPECT = {"interval"}
WATCH = (ANSWERED, NOTIFIED, requests(*(method for method in NAMING if method != "tasks/get")))
_TOLERATED = 0.9
_MOST = 10_000


class _Poll(NamedTuple):
    mono: int
    answer: Part | None = None


class MEMORY:
    def __init__(self) -> None:
        self.polls: dict[Key, _Poll] = {}


def watch(subject: Part | Message, context: Context) -> None:
    polls = context.memory.polls
    if isinstance(subject, Message):
        polls.pop((subject.sender, asked_for(subject)), None)
        return
    exchange = subject.message.answers
    if exchange is None or exchange.method != "tasks/get":
        for key in [key for key in polls if key[1] == subject.name]:
            del polls[key]
    elif (exchange.asker, subject.name) in polls:
        polls[exchange.asker, subject.name] = polls[exchange.asker, subject.name]._replace(answer=subject)


def applies(message: Message, context: Context) -> bool:
    polls, key = context.memory.polls, (message.sender, asked_for(message))
    before = polls.get(key)
    if before is None or before.answer is None or before.answer.members.get("status") != "working":
        _polled(message, context)
        return False
    if not is_number(before.answer.members.get(context.expect["interval"])):
        _polled(message, context)
        return False
    return True


def check(message: Message, context: Context) -> Remarks:
    before = context.memory.polls[message.sender, asked_for(message)]
    wanted = before.answer.members[context.expect["interval"]]
    waited = (message.mono - before.mono) / 1e6
    _polled(message, context)
    if waited < wanted * _TOLERATED:
        yield remark(f"The task is polled after {waited:.0f} ms; suggested are {wanted} ms", "/params/taskId")


def _polled(message: Message, context: Context) -> None:
    polls, key = context.memory.polls, (message.sender, asked_for(message))
    if key in polls or len(polls) < _MOST:
        polls[key] = _Poll(message.mono)
