"""The servers of a suite: `servers:` with a name for each, or `server:` for the only one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from mcptest.errors import UsageError
from mcptest.live import WrongServer, read_server
from mcptest.suites.nouns import Server
from mcptest.suites.shapes import Field, Listing, Number, Record, Schema, Table, Text, together
from mcptest.suites.spots import Spot, taken_over

ONE, MANY, MOCK = "server", "servers", "mock_server"
_SECONDS = Number(0, above=True)


class _Scalar:
    """A text, or what is written without quotes and yet one."""

    def read(self, spot: Spot) -> Any:
        if not isinstance(spot.value, str | int | float):
            raise spot.refuse(f"expected a text, found {spot.kind}")
        return spot.value

    def schema(self) -> Schema:
        return {"type": ["string", "number", "boolean"]}


_FIELDS = {
    "command": Field(Listing(Text(), lone=True), "What starts the server: a command line, or the list of its words."),
    "args": Field(Listing(_Scalar()), "More words of the command."),
    "cwd": Field(Text(), "Where the command runs, as seen from the suite; the suite's own folder without it."),
    "env": Field(Table(_Scalar()), "Environment variables for the command, added to ours."),
    "url": Field(Text(), "The URL of a server that is spoken to over HTTP."),
    "headers": Field(Table(_Scalar()), "Headers for every HTTP request."),
    "bearer_token_env": Field(Text(), "The environment variable that holds the bearer token."),
    "timeout": Field(_SECONDS, "Seconds to wait for an answer (30)."),
    "start_timeout": Field(_SECONDS, "Seconds to wait for the server to be ready (20)."),
    "spec_version": Field(Text(), "The revision to speak; without it, the newest that the server speaks."),
}


def shape(folder: Path) -> Record:
    return Record(_FIELDS, lambda _, spot: _server(spot, folder), {"oneOf": _EITHER})


_EITHER = [{"required": ["command"]}, {"required": ["url"]}]


def _server(spot: Spot, folder: Path) -> Server:
    """Its keys and their types are known by now; what they mean together is read where all readers of suites do."""
    try:
        live = read_server(spot.value, folder)
    except WrongServer as error:
        at = spot
        for key in error.at:
            at = at.at(key)
        raise at.refuse(str(error)) from None
    except UsageError as error:
        raise spot.refuse(str(error)) from None
    return Server(str(spot.path[-1]) if spot.path[0] == MANY else ONE, live)


def read(root: Spot, folder: Path) -> dict[str, Server]:
    """All servers by name, the mock among them."""
    parts = together([partial(part, root, folder) for part in (_many, _one, _mock)])
    found: dict[str, Server] = {}
    for server in (server for part in parts for server in part):
        if server.name in found:
            raise root.refuse_key(MOCK, f"there are two servers of the name {server.name!r}")
        found[server.name] = server
    return found


def names(root: Spot) -> list[str]:
    """What the servers are called, where they themselves cannot be read."""
    many = root.value.get(MANY)
    mock = root.value.get(MOCK)
    found = [*many] if isinstance(many, dict) else []
    found += [ONE] if ONE in root.value else []
    return [*found, *([str(mock["name"])] if isinstance(mock, dict) and "name" in mock else [])]


def _many(root: Spot, folder: Path) -> list[Server]:
    return list(Table(shape(folder)).read(root.at(MANY)).values()) if MANY in root.value else []


def _one(root: Spot, folder: Path) -> list[Server]:
    if ONE not in root.value:
        return []
    if MANY in root.value:
        raise root.refuse_key(ONE, "either `server` or `servers`, not both")
    return [shape(folder).read(root.at(ONE))]


def _mock(root: Spot, _folder: Path) -> list[Server]:
    if MOCK not in root.value:
        return []
    from mcptest.replay.mocking import manifest

    try:
        found = manifest.from_document(root.document)
    except UsageError as error:
        raise taken_over(error, root.at(MOCK)) from None
    return [Server(found.name, None, found)]


def schema(folder: Path = Path()) -> dict[str, Schema]:
    """What editors are told of the keys that this module reads."""
    from mcptest.replay.mocking import manifest

    mock = manifest.schema()["properties"][MOCK]
    return {
        ONE: {**shape(folder).schema(), "description": "The server under test, where there is only one."},
        MANY: {**Table(shape(folder)).schema(), "description": "The servers under test, by name."},
        MOCK: {**mock, "description": "A server that mcptest plays itself; its name is what entries call it."},
    }
