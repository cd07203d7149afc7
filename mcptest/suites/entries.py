"""What all blocks have in common when they are read: the keys that every entry may have, and how it gets its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mcptest.suites.expecting import Expectation, expectations
from mcptest.suites.nouns import Entry, Job, Server
from mcptest.suites.shapes import Field, Flag, Number, Schema, Text
from mcptest.suites.spots import Spot, suggestion
from mcptest.suites.targets import Vocabulary
from mcptest.yamltext import Document

NO_DOCUMENT = Document("", {}, {})


class Context(NamedTuple):
    """What a block may need to know of the suite that it stands in."""

    folder: Path = Path()
    servers: Mapping[str, Server] = {}
    document: Document = NO_DOCUMENT


class ServerName:
    """One of the suite's servers."""

    def __init__(self, context: Context) -> None:
        self._known = list(context.servers)

    def read(self, spot: Spot) -> str:
        name: str = Text().read(spot)
        if name not in self._known:
            raise spot.refuse(f"there is no server {name!r}{suggestion(name, self._known) if self._known else ''}")
        return name

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1}


def common(context: Context, vocabulary: Vocabulary) -> dict[str, Field]:
    return {
        "name": Field(Text(), "What the test is called, in reports and for --filter."),
        "server": Field(ServerName(context), "The server that it is about; not needed where there is only one."),
        "expect": Field(expectations(vocabulary), "What must hold; without it, the default of the block."),
        "serial": Field(Flag(), "Run it alone, after what stands before it and before what follows."),
        "skip": Field(Text(), "Why it is not to be run for now."),
        "timeout": Field(Number(0, above=True), "Seconds to wait for an answer, in place of the server's."),
    }


def entry(
    context: Context,
    spot: Spot,
    found: Mapping[str, Any],
    job: Job,
    defaults: Sequence[Expectation],
    name: str,
) -> Entry:
    """The entry that stands at a place; `name` is for one that was given none."""
    line, column = spot.position
    expect = found.get("expect") or tuple(one._replace(line=line, column=column) for one in defaults)
    return Entry(
        str(spot.path[0]),
        found.get("name", name),
        line,
        column,
        found.get("server") or only_server(context, spot),
        job,
        tuple(expect),
        found.get("serial", False),
        found.get("skip"),
        found.get("timeout"),
    )


def only_server(context: Context, spot: Spot) -> str:
    names = list(context.servers)
    if len(names) == 1:
        return names[0]
    if not names:
        raise spot.refuse("there is no server to test: add `server:` with a command or a url")
    raise spot.refuse(f"which server? add `server:` with one of {', '.join(names)}")
