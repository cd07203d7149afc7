"""Schemas that libraries generate for well-typed tools raise no false alarm."""

from __future__ import annotations

import datetime
import enum
import json
import uuid
from typing import Annotated, Any, Literal

import anyio
import pytest
from mcp import Client
from mcp.server import MCPServer
from pydantic import BaseModel, ConfigDict, Field

from mcptest import catalogue
from mcptest.analyzers import lint


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


Short = Annotated[str, Field(max_length=40)]


class Address(Strict):
    street: Short
    code: Annotated[str, Field(pattern=r"^\d{5}$")]


class Person(Strict):
    name: Short
    home: Address
    work: Address | None = None
    friends: Annotated[list[Person], Field(max_length=5)] = []


class Cat(Strict):
    kind: Literal["cat"]
    lives: int


class Dog(Strict):
    kind: Literal["dog"]
    good: bool


def well_typed(
    number: int,
    maybe: int | None,
    choice: Literal["x", "y"],
    colour: Colour,
    maybe_colour: Colour | None,
    counts: dict[str, int],
    homes: dict[str, Address],
    rows: Annotated[list[list[float]], Field(max_length=3)],
    moment: datetime.datetime,
    day: datetime.date,
    span: datetime.timedelta | None,
    key: uuid.UUID,
    person: Person,
    pet: Annotated[Cat | Dog, Field(discriminator="kind")],
    pair: tuple[int, int],
    text: Short,
    only: Literal["one"] = "one",
    maybe_text: Short | None = None,
    people: Annotated[list[Person], Field(max_length=2)] = [],  # noqa: B006 -- pydantic copies it
) -> Person:
    """Does a lot."""
    raise NotImplementedError


def loose(anything: Any, mapping: dict[str, Any], text: str, items: list[str], whatever: list[Any]) -> str:
    """Does a little."""
    raise NotImplementedError


def optional(limit: int = 10, after: int | None = None) -> str:
    """Has defaults throughout."""
    raise NotImplementedError


@pytest.fixture(scope="module")
def found() -> dict[str, set[tuple[str, str]]]:
    """Rule and place of every schema finding, by tool, for an SDK server as its client sees it."""
    server = MCPServer("generated")
    for function in (well_typed, loose, optional):
        server.tool()(function)

    async def list_tools() -> list[dict[str, Any]]:
        async with Client(server) as client:
            listed = await client.list_tools()
            return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in listed.tools]

    return by_tool(anyio.run(list_tools))


def by_tool(tools: list[dict[str, Any]]) -> dict[str, set[tuple[str, str]]]:
    by: dict[str, set[tuple[str, str]]] = {tool["name"]: set() for tool in tools}
    for verdict in lint(catalogue.read(json.dumps(tools), "tools.json")):
        for finding in verdict.findings:
            if finding.rule.startswith(("SCH", "CAT")):
                by[finding.subject].add((finding.rule, finding.within))
    return by


def test_a_well_typed_tool_lacks_only_what_pydantic_leaves_out(found: dict[str, set[tuple[str, str]]]) -> None:
    """The argument model itself is open: that is a true finding, and the only one."""
    assert found["well_typed"] == {("SCH-002", "/inputSchema")}


def test_defaults_throughout_need_no_required_list(found: dict[str, set[tuple[str, str]]]) -> None:
    assert found["optional"] == {("SCH-002", "/inputSchema")}


def test_a_loose_tool_is_told_every_gap(found: dict[str, set[tuple[str, str]]]) -> None:
    where = "/inputSchema/properties/"
    assert found["loose"] == {
        ("SCH-002", "/inputSchema"),
        ("SCH-003", where + "anything"),
        ("SCH-004", where + "text"),
        ("SCH-004", where + "items"),
        ("SCH-004", where + "whatever"),
        ("SCH-006", where + "mapping"),
        ("SCH-006", where + "whatever"),
    }


def test_what_zod_writes_is_understood() -> None:
    """The shapes of zod-to-json-schema and of zod's own converter: draft-07, inlined and by pointer into properties."""
    base = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": False}
    tools = [
        {
            "name": "inlined",
            "inputSchema": {
                **base,
                "properties": {
                    "id": {"type": "string", "format": "uuid"},
                    "mail": {"type": "string", "format": "email", "pattern": "^(?!\\.)(.+)@(.+)$"},
                    "kind": {"type": "string", "enum": ["a", "b"]},
                    "exact": {"type": "string", "const": "x"},
                    "either": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
                    "nullable": {"type": ["number", "null"]},
                    "record": {
                        "type": "object",
                        "additionalProperties": {"type": "number"},
                        "propertyNames": {"type": "string"},
                    },
                    "tuple": {
                        "type": "array",
                        "minItems": 2,
                        "maxItems": 2,
                        "items": [{"type": "number"}, {"type": "string"}],
                    },
                    "shape": {
                        "anyOf": [
                            {
                                **base,
                                "properties": {"t": {"const": "a"}, "n": {"type": "integer"}},
                                "required": ["t", "n"],
                            },
                            {**base, "properties": {"t": {"const": "b"}}, "required": ["t"]},
                        ]
                    },
                    "again": {"$ref": "#/properties/shape/anyOf/0"},
                    "safe": {"type": "integer", "minimum": -9007199254740991, "maximum": 9007199254740991},
                },
                "required": ["id"],
            },
        },
        {"name": "nothing", "inputSchema": {**base, "properties": {}}},
    ]
    assert by_tool(tools) == {"inlined": set(), "nothing": set()}
