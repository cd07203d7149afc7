"""A task that can be asked for is in the list of tasks.

Broken where a whole list lacks a task that the same client could ask for before and after. Only on stdio: elsewhere it
may not have been the same client.
"""

from typing import NamedTuple

from mcptest.compliance.kit import Context, Exchange, Remarks, remark, results
from mcptest.compliance.rules.tasks._tasks import Key, asked_for, key_of

ID = "TASKS-019"
ON = results("tasks/get")._replace(noun="tasks that were listed meanwhile")
WATCH = (results("tasks/list"), results("tasks/get"))
_MOST = 10_000
_MOST_LISTS = 64


class _List(NamedTuple):
    side: str
    began: int
    ended: int
    tasks: frozenset[str]


class MEMORY:
    """`first` says when each task could be asked for first, `pages` the lists that go on after a cursor."""

    def __init__(self) -> None:
        self.first: dict[Key, int] = {}
        self.pages: dict[tuple[str, str], _List] = {}
        self.lists: list[_List] = []


def watch(exchange: Exchange, context: Context) -> None:
    memory = context.memory
    if exchange.method == "tasks/get":
        if len(memory.first) < _MOST:
            memory.first.setdefault(key_of(exchange), exchange.place.seq)
        return
    cursor, following = exchange.params.get("cursor"), exchange.result.get("nextCursor")
    before = memory.pages.pop((exchange.sender, cursor), None) if type(cursor) is str else None
    if cursor is not None and before is None:
        return
    found = exchange.result.get("tasks")
    names = {str(task.get("taskId")) for task in found if type(task) is dict} if type(found) is list else set()
    began = exchange.request.seq if before is None else before.began
    page = _List(exchange.sender, began, exchange.place.seq, (before.tasks if before else frozenset()) | names)
    if following is None:
        memory.lists = [*memory.lists[1 - _MOST_LISTS :], page]
    elif type(following) is str and len(memory.pages) < _MOST_LISTS:
        memory.pages[exchange.sender, following] = page


def applies(exchange: Exchange, context: Context) -> bool:
    return context.history.transport == "stdio" and not exchange.modern and bool(_between(exchange, context))


def check(exchange: Exchange, context: Context) -> Remarks:
    name = asked_for(exchange.request)
    for one in _between(exchange, context):
        if name not in one.tasks:
            yield remark(f"The list that ends in frame {one.ended} does not have the task {name[:80]!r}")
            return


def _between(exchange: Exchange, context: Context) -> list[_List]:
    first = context.memory.first.get(key_of(exchange), exchange.place.seq)
    return [
        one
        for one in context.memory.lists
        if one.side == exchange.sender and first < one.began and one.ended < exchange.request.seq
    ]
