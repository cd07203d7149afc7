"""Resources that are read, by their URI. One without expectations must be there."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.suites import asking
from mcptest.suites.entries import Context, common, entry
from mcptest.suites.nouns import Entry, Seen
from mcptest.suites.shapes import Field, Listing, Record, Text
from mcptest.suites.world import World


class Reading(NamedTuple):
    uri: str

    async def run(self, entry: Entry, world: World) -> Seen:
        answer = await asking.ask(world, entry, "resources/read", {"uri": self.uri})
        return Seen(asking.values(answer), (), frozenset({"resource"}))


def shape(context: Context) -> Listing:
    fields = common(context, asking.VOCABULARY)
    order = {
        "name": fields.pop("name"),
        "server": fields.pop("server"),
        "uri": Field(Text(), "The resource to read.", needed=True),
        **fields,
    }

    def make(found: dict[str, Any], spot: Any) -> Entry:
        return entry(context, spot, found, Reading(found["uri"]), (asking.NO_ERROR,), found["uri"])

    return Listing(Record(order, make))
