"""Prompts that are got, with their arguments. One without expectations must be there."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcptest.suites import asking
from mcptest.suites.entries import Context, common, entry
from mcptest.suites.nouns import Entry, Seen
from mcptest.suites.shapes import Field, Listing, Record, Table, Text
from mcptest.suites.world import World


class Getting(NamedTuple):
    prompt: str
    args: dict[str, str] | None

    async def run(self, entry: Entry, world: World) -> Seen:
        params = {"name": self.prompt} | ({} if self.args is None else {"arguments": self.args})
        answer = await asking.ask(world, entry, "prompts/get", params)
        return Seen(asking.values(answer), (), frozenset({"prompt"}))


def shape(context: Context) -> Listing:
    fields = common(context, asking.VOCABULARY)
    order = {
        "name": fields.pop("name"),
        "server": fields.pop("server"),
        "prompt": Field(Text(), "The prompt to get.", needed=True),
        "args": Field(Table(Text()), "Its arguments, which are texts."),
        **fields,
    }

    def make(found: dict[str, Any], spot: Any) -> Entry:
        job = Getting(found["prompt"], found.get("args"))
        return entry(context, spot, found, job, (asking.NO_ERROR,), found["prompt"])

    return Listing(Record(order, make))
