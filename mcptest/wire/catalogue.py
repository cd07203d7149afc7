"""What a server offers, as it was listed: tools, resources, resource templates, prompts, over all pages.

A listing without a cursor begins a new catalogue; one with a cursor goes on with the catalogue whose last page gave
that cursor. Definitions are named by a digest of their text: a server is listed again and again, and each definition
needs to be kept once only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from mcptest.protocol import LISTS
from mcptest.wire.pairing import Waiting, text_of

_MOST_CURSORS = 256  # catalogues that may be half listed at once, before the oldest is given up
_LONGEST_CURSOR = 128  # longer ones are remembered by their digest


class Listed(NamedTuple):
    """One thing in a catalogue. `seq` and `batch` place the response that listed it; `position` counts over pages."""

    kind: str
    catalogue: int
    position: int
    seq: int
    batch: int | None
    name: str | None
    digest: str


class Catalogues:
    def __init__(self, state: dict[str, Any] | None = None) -> None:
        state = state or {}
        self._counts: dict[str, int] = state.get("counts", {})
        self._open: dict[str, list[int]] = state.get("open", {})  # [catalogue, position its next page begins at]

    def state(self) -> dict[str, Any]:
        return {"counts": self._counts, "open": self._open}

    def page(
        self, request: Waiting, result: dict[str, Any], seq: int, batch: int | None
    ) -> Iterator[tuple[Listed, str]]:
        """The items of one page, each with the text of its definition."""
        listing = LISTS[request.method]
        entries = result.get(listing.key)
        if type(entries) is not list:
            return
        catalogue, position = self._begin(listing.kind, request.cursor)
        following = result.get("nextCursor")
        if following is not None:
            self._open[_cursor_key(listing.kind, text_of(following))] = [catalogue, position + len(entries)]
            if len(self._open) > _MOST_CURSORS:
                del self._open[next(iter(self._open))]
        for place, entry in enumerate(entries, position):
            text = _dump(entry)
            name = text_of(entry.get("name")) if type(entry) is dict else None
            entries[place - position] = None  # a catalogue may be huge: it is not needed twice in memory
            yield Listed(listing.kind, catalogue, place, seq, batch, name, _digest(text)), text

    def _begin(self, kind: str, cursor: str | None) -> tuple[int, int]:
        if cursor is not None:
            going_on = self._open.pop(_cursor_key(kind, cursor), None)
            if going_on is not None:
                return going_on[0], going_on[1]
        number = self._counts[kind] = self._counts.get(kind, 0) + 1
        return number, 0


def _cursor_key(kind: str, cursor: str | None) -> str:
    text = str(cursor)
    return f"{kind} {text}" if len(text) <= _LONGEST_CURSOR else f"{kind} {_digest(text)}"


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _dump(value: Any) -> str:
    """The definition as JSON text that every reader takes: half a surrogate pair becomes a question mark."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        pass
    try:
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
    except RecursionError:
        return '"nested too deeply"'
