"""The catalogues that a server listed in a recorded session, from first to last."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from mcptest.catalogue import Catalogue, Source, from_lists, merge
from mcptest.protocol import LISTS
from mcptest.wire import Deriver, Frame, Listed

_SLICE = 4096  # frames derived at once
_KEYS = {listing.kind: listing.key for listing in LISTS.values()}


def catalogue_of(frames: Iterable[Frame], name: str, session: str | None) -> Catalogue | None:
    """The last listing, with the earlier ones behind it; None if the session lists nothing."""
    listings = _Listings()
    deriver = Deriver()
    stream = iter(frames)
    while stretch := list(islice(stream, _SLICE)):
        rows = deriver.feed(stretch)
        for item in rows.items:
            listings.add(Listed(*item), rows.definitions)
    return _chain(listings.finished(), name, session)


class _Listings:
    """Listings of each kind that differ from the one before; a client may list the same a thousand times."""

    def __init__(self) -> None:
        self._kept: dict[str, list[list[Listed]]] = {kind: [] for kind in _KEYS}
        self._open: dict[str, list[Listed]] = {}
        self.definitions: dict[str, str] = {}

    def add(self, item: Listed, definitions: dict[str, str]) -> None:
        current = self._open.get(item.kind)
        if current and current[-1].catalogue != item.catalogue:
            self._close(item.kind)
        self._open.setdefault(item.kind, []).append(item)
        self.definitions[item.digest] = definitions[item.digest]

    def _close(self, kind: str) -> None:
        listing = self._open.pop(kind)
        before = self._kept[kind][-1] if self._kept[kind] else []
        if [item.digest for item in before] != [item.digest for item in listing]:
            self._kept[kind].append(listing)

    def finished(self) -> Iterator[dict[str, list[tuple[Listed, Any]]]]:
        """The listings, the last ones of each kind together, then the ones before those, and so on."""
        for kind in list(self._open):
            self._close(kind)
        for back in range(1, max(map(len, self._kept.values())) + 1):
            yield {
                kind: [(item, json.loads(self.definitions[item.digest])) for item in listings[-back]]
                for kind, listings in self._kept.items()
                if back <= len(listings)
            }


def _chain(listings: Iterable[dict[str, list[tuple[Listed, Any]]]], name: str, session: str | None) -> Catalogue | None:
    found: Catalogue | None = None
    for kinds in reversed(list(listings)):
        pages = []
        for kind, items in kinds.items():
            for seq, page in groupby(items, key=lambda pair: pair[0].seq):
                entries = [definition for _, definition in page]
                pages.append(from_lists({_KEYS[kind]: entries}, Source(name, None, session, seq), "/result"))
        found = merge(pages, Source(name, None, session), found)
    return found
