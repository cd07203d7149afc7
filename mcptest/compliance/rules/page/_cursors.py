"""Cursors: which were given for which list, and how a client goes through its pages."""

from __future__ import annotations

from typing import Any

from mcptest.compliance.kit import Exchange, Id, Ids

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
WITH_TASKS = (*LISTS, "tasks/list")
_MOST_OPEN = 256  # lists that may be half read at once, before the oldest is given up


class Given:
    """The cursors that a server gave, for each method."""

    def __init__(self) -> None:
        self._given: dict[str, Ids] = {}

    def add(self, exchange: Exchange) -> None:
        cursor = exchange.result.get("nextCursor")
        if type(cursor) is str:
            self._given.setdefault(exchange.method, Ids()).add(Id("string", cursor))

    def has(self, method: str, cursor: str) -> bool:
        return method in self._given and Id("string", cursor) in self._given[method]

    def elsewhere(self, cursor: str) -> str | None:
        """A method that this cursor was given for."""
        return next((method for method in self._given if self.has(method, cursor)), None)


class Walk:
    """One way through the pages of a list: which cursor led to which, and the entries of the page last seen."""

    def __init__(self) -> None:
        self.steps: dict[str | None, str] = {}
        self.given: set[str] = set()
        self.page: list[Any] = []
        self.ended: Exchange | None = None


class Walks:
    """All of them. A request without a cursor begins a new one; with a cursor it goes on where that was given."""

    def __init__(self) -> None:
        self._walks: dict[tuple[str, str], Walk] = {}

    def of(self, method: str, cursor: Any) -> Walk | None:
        if cursor is None:
            return Walk()
        return self._walks.get((method, cursor)) if type(cursor) is str else None

    def went_on(self, method: str, cursor: str, walk: Walk) -> None:
        self._walks.pop((method, cursor), None)
        self._walks[method, cursor] = walk
        if len(self._walks) > _MOST_OPEN:
            del self._walks[next(iter(self._walks))]
