"""Lists that a server gives in pages, put together: what it offers, and when that changed."""

from __future__ import annotations

from typing import Any

from mcptest.compliance import parts
from mcptest.compliance.known import Catalogue, Known
from mcptest.compliance.subjects import Exchange, Listing
from mcptest.protocol import LISTS

_MOST_OPEN = 256  # lists that may be half read at once, before the oldest is given up
_CATALOGUES = {"tool": "tools", "resource": "resources", "template": "templates", "prompt": "prompts"}
LIST_CHANGED = {
    "notifications/tools/list_changed": ("tools",),
    "notifications/prompts/list_changed": ("prompts",),
    "notifications/resources/list_changed": ("resources", "templates"),
}


class Lists:
    """Goes on with the list whose last page gave the cursor; a request without one begins anew."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], tuple[Listing, Catalogue]] = {}

    def page(self, exchange: Exchange, known: Known) -> tuple[Listing | None, dict[str, Catalogue]]:
        """Take in a page: the listing, if this was its last page, and the catalogue that is new with it."""
        listed = LISTS[exchange.method]
        cursor = exchange.params.get("cursor")
        news: dict[str, Catalogue] = {}
        if cursor is None:
            listing = Listing(listed.kind)
            name = _CATALOGUES[listed.kind]
            earlier: Catalogue = getattr(known, name)
            news[name] = catalogue = Catalogue(exchange.place.seq, earlier if earlier.seq else None)
        else:
            going_on = self._open.pop((listed.kind, repr(cursor)), None)
            if going_on is None:
                return None, news
            listing, catalogue = going_on
        found = parts.listed(exchange)
        listing.pages.append(exchange)
        listing.parts += found
        catalogue.entries.update((part.name, part) for part in found if part.name)
        following: Any = exchange.result.get("nextCursor")
        if following is None:
            listing.complete = catalogue.complete = True
            return listing, news
        self._open[listed.kind, repr(following)] = listing, catalogue
        if len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
        return None, news


def outdate(known: Known, method: str, seq: int) -> None:
    """A server announced that a list has changed."""
    for name in LIST_CHANGED[method]:
        catalogue: Catalogue = getattr(known, name)
        if catalogue.seq:
            catalogue.changed = seq
