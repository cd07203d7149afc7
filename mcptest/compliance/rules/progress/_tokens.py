"""Progress as the rules of this family look at it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

from mcptest.compliance.kit import Exchange, Id, Message, identify, notifications
from mcptest.protocol import PROGRESS_TOKEN
from mcptest.protocol.methods import PROGRESS

PROGRESSES = notifications(PROGRESS)._replace(noun="progress notifications")
_MOST = 1024  # as many as the engine tells apart after their answer

T = TypeVar("T")


def token_asked(request: Message) -> Id | None:
    """The token that a request came with, if it is one."""
    return _token(request, request.meta.get(PROGRESS_TOKEN), ("params", "_meta", PROGRESS_TOKEN))


def token_told(notification: Message) -> Id | None:
    """The token that a notification names, if it is one."""
    return _token(notification, notification.params.get(PROGRESS_TOKEN), ("params", PROGRESS_TOKEN))


def _token(message: Message, value: object, path: tuple[str, ...]) -> Id | None:
    return identify(value, message.raw, path) if is_token(value) else None


def is_token(value: object) -> bool:
    """A string, or a whole number however it is written."""
    return type(value) in (str, int) or (isinstance(value, float) and value % 1 == 0)


def is_task(exchange: Exchange) -> bool:
    """Was it answered with a task, which goes on after the answer?"""
    return "task" in exchange.result or exchange.result.get("resultType") == "task"


class PerRequest(Generic[T]):
    """Something about each of the requests that had progress lately."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int | None], T] = OrderedDict()

    def get(self, exchange: Exchange) -> T | None:
        return self._kept.get((exchange.request.seq, exchange.request.batch))

    def put(self, exchange: Exchange, value: T) -> None:
        self._kept[exchange.request.seq, exchange.request.batch] = value
        if len(self._kept) > _MOST:
            self._kept.popitem(last=False)
