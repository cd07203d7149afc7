from __future__ import annotations

import json
from typing import Any

import pytest

from mcptest import catalogue
from mcptest.analyzers import Effect, diff, to_report
from mcptest.analyzers.diff import KINDS, Change

TEXT = {"type": "string"}


def listing(**lists: Any) -> catalogue.Catalogue:
    return catalogue.read(json.dumps(lists), "tools.json")


def tool(name: str = "search", schema: Any = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": schema or {"type": "object"}, **more}


def said(changes: list[Change]) -> list[tuple[str, str, str]]:
    assert all(finding.rule in KINDS for finding in to_report(changes, "old", "new").findings)
    return [(change.kind, change.effect.value, change.within) for change in changes]


def of_inputs(before: Any, after: Any) -> list[tuple[str, str, str]]:
    """The changes of one argument's schema."""
    old, new = ({"type": "object", "properties": {"x": schema}, "required": ["x"]} for schema in (before, after))
    return said(diff(listing(tools=[tool(schema=old)]), listing(tools=[tool(schema=new)])))


def of_outputs(before: Any, after: Any) -> list[tuple[str, str, str]]:
    old, new = ({"type": "object", "properties": {"x": schema}, "required": ["x"]} for schema in (before, after))
    return said(diff(listing(tools=[tool(outputSchema=old)]), listing(tools=[tool(outputSchema=new)])))


def test_equal_catalogues_have_no_changes() -> None:
    found = listing(tools=[tool(schema={"type": "object", "properties": {"a": TEXT}})], prompts=[{"name": "p"}])
    assert diff(found, found) == []


def test_what_is_gone_breaks_and_what_is_new_does_not() -> None:
    changes = diff(
        listing(tools=[tool("a"), tool("b")], resources=[{"uri": "x:1", "name": "r"}]),
        listing(tools=[tool("b"), tool("completely_different", description="Something else entirely.")]),
    )
    assert [(change.kind, change.entry.kind, change.entry.name) for change in changes] == [
        ("entry-removed", "tool", "a"),
        ("entry-removed", "resource", "x:1"),
        ("entry-added", "tool", "completely_different"),
    ]


def test_a_tool_under_a_new_name_looks_renamed() -> None:
    schema = {"type": "object", "properties": {"query": TEXT, "limit": {"type": "integer"}}}
    before = listing(tools=[tool("search_docs", schema, description="Search the archive for documents.")])
    after = listing(tools=[tool("find_docs", schema, description="Search the archive for documents."), tool("other")])
    (renamed, added) = diff(before, after)
    assert (renamed.kind, renamed.before, renamed.after) == ("entry-renamed", "search_docs", "find_docs")
    assert (added.kind, added.entry.name) == ("entry-added", "other")


ARGUMENT = "/inputSchema/properties/x"
FIELD = "/outputSchema/properties/x"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"type": "string"}, {"type": "integer"}, [("type-changed", "breaking", "")]),
        ({"type": ["string", "null"]}, {"type": "string"}, [("type-narrowed", "breaking", "")]),
        ({"type": "string"}, {"anyOf": [{"type": "string"}, {"type": "null"}]}, [("type-widened", "safe", "")]),
        ({"type": "number"}, {"type": "integer"}, [("type-narrowed", "breaking", "")]),
        ({"type": "integer"}, {"type": "number"}, [("type-widened", "safe", "")]),
        ({}, {"type": "string"}, [("type-narrowed", "breaking", "")]),
        ({"type": "string"}, {}, [("type-widened", "safe", "")]),
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, [("enum-narrowed", "breaking", "")]),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, [("enum-widened", "safe", "")]),
        ({"const": "a"}, {"enum": ["a", "b"]}, [("enum-widened", "safe", "")]),
        ({"type": "string"}, {"type": "string", "enum": ["a"]}, [("enum-narrowed", "breaking", "")]),
        (
            {"type": "string", "maxLength": 9},
            {"type": "string", "maxLength": 5},
            [("bound-tightened", "breaking", "/maxLength")],
        ),
        (
            {"type": "string", "maxLength": 5},
            {"type": "string", "maxLength": 9},
            [("bound-loosened", "safe", "/maxLength")],
        ),
        ({"type": "integer"}, {"type": "integer", "minimum": 1}, [("bound-tightened", "breaking", "/minimum")]),
        ({"type": "integer", "minimum": 1}, {"type": "integer"}, [("bound-loosened", "safe", "/minimum")]),
        ({"type": "string"}, {"type": "string", "pattern": "^a"}, [("bound-tightened", "breaking", "/pattern")]),
        (
            {"type": "string", "pattern": "^b"},
            {"type": "string", "pattern": "^a"},
            [("bound-changed", "risky", "/pattern")],
        ),
        ({"type": "string"}, {"type": "string", "format": "date"}, [("bound-tightened", "risky", "/format")]),
        (
            {"type": "integer", "default": 1},
            {"type": "integer", "default": 2},
            [("default-changed", "risky", "/default")],
        ),
        (
            {"type": "object", "properties": {}},
            {"type": "object", "additionalProperties": False},
            [("object-closed", "risky", "/additionalProperties")],
        ),
        (
            {"type": "array", "items": TEXT},
            {"type": "array", "items": {"type": "integer"}},
            [("type-changed", "breaking", "/items")],
        ),
        (
            {"type": "string", "description": "a"},
            {"type": "string", "description": "b"},
            [("parameter-description-changed", "safe", "/description")],
        ),
        ({"type": "string", "title": "a"}, {"type": "string", "title": "b"}, []),
    ],
)
def test_an_argument_s_schema_breaks_callers_when_it_narrows(before: Any, after: Any, expected: list[Any]) -> None:
    assert of_inputs(before, after) == [(kind, effect, ARGUMENT + where) for kind, effect, where in expected]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"type": ["string", "null"]}, {"type": "string"}, [("type-narrowed", "safe", "")]),
        ({"type": "string"}, {"type": ["string", "null"]}, [("type-widened", "breaking", "")]),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, [("enum-widened", "breaking", "")]),
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, [("enum-narrowed", "safe", "")]),
        (
            {"type": "string", "maxLength": 5},
            {"type": "string", "maxLength": 9},
            [("bound-loosened", "risky", "/maxLength")],
        ),
        (
            {"type": "string", "maxLength": 9},
            {"type": "string", "maxLength": 5},
            [("bound-tightened", "safe", "/maxLength")],
        ),
    ],
)
def test_a_result_s_schema_breaks_callers_when_it_widens(before: Any, after: Any, expected: list[Any]) -> None:
    assert of_outputs(before, after) == [(kind, effect, FIELD + where) for kind, effect, where in expected]


def objects(before: dict[str, Any], after: dict[str, Any], key: str = "inputSchema") -> list[tuple[str, str]]:
    old, new = ({"type": "object", **schema} for schema in (before, after))
    if key == "inputSchema":
        changes = diff(listing(tools=[tool(schema=old)]), listing(tools=[tool(schema=new)]))
    else:
        changes = diff(listing(tools=[tool(outputSchema=old)]), listing(tools=[tool(outputSchema=new)]))
    return [(change.kind, change.effect.value) for change in changes]


def test_arguments_come_and_go() -> None:
    two = {"properties": {"a": TEXT, "b": TEXT}}
    one = {"properties": {"a": TEXT}}
    assert objects(two, one) == [("argument-removed", "breaking")]
    assert objects(one, two) == [("argument-added", "safe")]
    assert objects(one, {**two, "required": ["b"]}) == [("argument-added-required", "breaking")]
    assert objects(two, {**two, "required": ["b"]}) == [("argument-required", "breaking")]
    assert objects({**two, "required": ["b"]}, two) == [("argument-optional", "safe")]


def test_fields_come_and_go() -> None:
    two = {"properties": {"a": TEXT, "b": TEXT}}
    one = {"properties": {"a": TEXT}}
    assert objects(two, one, "outputSchema") == [("field-removed", "breaking")]
    assert objects(one, {**two, "required": ["b"]}, "outputSchema") == [("field-added", "safe")]
    assert objects(two, {**two, "required": ["b"]}, "outputSchema") == [("field-required", "safe")]
    assert objects({**two, "required": ["b"]}, two, "outputSchema") == [("field-optional", "breaking")]


def test_an_output_schema_comes_and_goes() -> None:
    with_schema, without = listing(tools=[tool(outputSchema={"type": "object"})]), listing(tools=[tool()])
    assert said(diff(without, with_schema)) == [("schema-added", "safe", "/outputSchema")]
    assert said(diff(with_schema, without)) == [("schema-removed", "breaking", "")]


def test_the_same_schema_written_otherwise_is_no_change() -> None:
    inlined = {"type": "object", "properties": {"x": {"type": ["string", "null"], "maxLength": 5}}, "required": ["x"]}
    by_reference = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/X"}},
        "required": ["x"],
        "$defs": {
            "X": {"anyOf": [{"allOf": [{"type": "string"}, {"maxLength": 5}]}, {"type": "null", "maxLength": 5}]}
        },
    }
    assert diff(listing(tools=[tool(schema=inlined)]), listing(tools=[tool(schema=by_reference)])) == []


def test_a_change_behind_a_reference_is_seen_where_it_is_used() -> None:
    def schema(kind: str) -> dict[str, Any]:
        return {"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": {"type": kind}}}

    changes = diff(listing(tools=[tool(schema=schema("string"))]), listing(tools=[tool(schema=schema("integer"))]))
    assert said(changes) == [("type-changed", "breaking", ARGUMENT)]


def test_recursive_schemas_are_compared_once() -> None:
    def schema(kind: str) -> dict[str, Any]:
        node = {"type": "object", "properties": {"v": {"type": kind}, "next": {"$ref": "#/$defs/N"}}}
        return {"type": "object", "properties": {"x": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}}

    changes = diff(listing(tools=[tool(schema=schema("string"))]), listing(tools=[tool(schema=schema("integer"))]))
    assert said(changes) == [("type-changed", "breaking", ARGUMENT + "/properties/v")]


def test_unions_of_objects_gain_and_lose_alternatives() -> None:
    one, two = ({"type": "object", "properties": {name: TEXT}, "required": [name]} for name in "ab")
    assert of_inputs({"oneOf": [one, two]}, {"oneOf": [one]}) == [("type-narrowed", "breaking", ARGUMENT)]
    assert of_inputs({"oneOf": [one]}, {"oneOf": [one, two]}) == [("type-widened", "safe", ARGUMENT)]


def test_texts_and_annotations_are_risks() -> None:
    before = listing(tools=[tool(description="a", title="A", annotations={"readOnlyHint": True, "x": 1})])
    after = listing(tools=[tool(description="b", title="B", annotations={"readOnlyHint": False, "x": 2})])
    assert said(diff(before, after)) == [
        ("description-changed", "risky", "/description"),
        ("annotation-changed", "risky", "/annotations/readOnlyHint"),
        ("title-changed", "safe", "/title"),
        ("annotation-changed", "safe", "/annotations/x"),
    ]


def test_prompts_and_resources_are_compared_too() -> None:
    before = listing(
        prompts=[{"name": "p", "arguments": [{"name": "a"}, {"name": "b", "required": True}, {"name": "c"}]}],
        resources=[{"uri": "x:1", "name": "r", "mimeType": "text/plain"}],
    )
    after = listing(
        prompts=[
            {
                "name": "p",
                "arguments": [{"name": "a", "required": True}, {"name": "b"}, {"name": "d", "required": True}],
            }
        ],
        resources=[{"uri": "x:1", "name": "r", "mimeType": "text/html"}],
    )
    assert said(diff(before, after)) == [
        ("argument-removed", "breaking", "/arguments"),
        ("argument-required", "breaking", "/arguments/0"),
        ("argument-added-required", "breaking", "/arguments/2"),
        ("mime-type-changed", "risky", "/mimeType"),
        ("argument-optional", "safe", "/arguments/1"),
    ]


def test_hostile_schemas_end_with_a_remark() -> None:
    def deep(leaf: str) -> catalogue.Catalogue:
        schema = '{"type": "object", "properties": {"x": ' * 5000 + leaf + "}}" * 5000
        return catalogue.read(f'[{{"name": "a", "inputSchema": {schema}}}]', "tools.json")

    loop = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
    }
    (change,) = diff(deep('{"type": "string"}'), deep('{"type": "integer"}'))
    assert (change.kind, change.effect) == ("schema-over-budget", Effect.RISKY)
    assert diff(listing(tools=[tool(schema=loop)]), listing(tools=[tool(schema={**loop, "title": "x"})])) == []
    doubling = {f"a{i}": {"allOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 2} for i in range(30)}
    bomb = {"type": "object", "properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": {**doubling, "a30": TEXT}}
    assert diff(listing(tools=[tool(schema=bomb)]), listing(tools=[tool(schema={**bomb, "title": "x"})])) == []


def test_changes_become_a_report_that_fails_on_what_was_asked() -> None:
    before, after = listing(tools=[tool(description="a")]), listing(tools=[tool(description="b")])
    changes = diff(before, after)
    assert to_report(changes, "a", "b").exit_code == 0
    report = to_report(changes, "a", "b", Effect.RISKY)
    assert report.exit_code == 1
    (finding,) = report.findings
    assert finding.data == {"class": "risky", "before": "a", "after": "b"}
    assert (finding.rule, finding.evidence.pointer) == ("description-changed", "/tools/0/description")
    assert to_report([], "a", "b").exit_code == 0
