from __future__ import annotations

from typing import Any

import pytest

from mcptest.analyzers.facts import ARRAY, STRING
from mcptest.analyzers.outline import Outline
from mcptest.analyzers.schema import Schema
from mcptest.rules import Inconclusive

TEXT = {"type": "string"}


def pointers(parts: Any) -> list[str]:
    return [part.pointer for part in parts]


def test_every_subschema_is_found_in_the_order_of_the_text() -> None:
    schema = {
        "$defs": {"A": {"properties": {"x": TEXT}}},
        "properties": {"a/b": {"items": [TEXT, TEXT]}, "m": {"additionalProperties": TEXT}},
        "anyOf": [{"not": TEXT}, {"then": TEXT}],
    }
    assert pointers(Schema(schema).parts) == [
        "",
        "/$defs/A",
        "/$defs/A/properties/x",
        "/properties/a~1b",
        "/properties/a~1b/items/0",
        "/properties/a~1b/items/1",
        "/properties/m",
        "/properties/m/additionalProperties",
        "/anyOf/0",
        "/anyOf/1",
        "/anyOf/1/then",
    ]


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("#", True),
        ("#/$defs/A", True),
        ("#/$defs/a%20b~1c", True),
        ("#name", True),
        ("https://example.com/a", True),
        ("https://example.com/a#/items", True),
        ("#/$defs/none", False),
        ("#/$defs", True),
        ("other.json", False),
        ("#/required/0", False),
    ],
)
def test_references_are_resolved_inside_the_schema_only(ref: str, found: bool) -> None:
    document = Schema(
        {
            "$defs": {
                "A": {"$id": "https://example.com/a", "items": TEXT},
                "a b/c": TEXT,
                "N": {"$anchor": "name", **TEXT},
            },
            "required": ["x"],
        }
    )
    assert (document.resolve(ref) is not None) == found


def test_a_union_hands_on_and_its_alternatives_stand_for_themselves() -> None:
    schema = {"type": "object", "anyOf": [{"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}]}
    assert pointers(Outline(schema).objects()) == ["/anyOf/0", "/anyOf/1"]


def test_pieces_of_a_composition_are_not_judged_alone() -> None:
    schema = {
        "allOf": [{"properties": {"a": TEXT}}, {"$ref": "#/$defs/B"}],
        "$defs": {"B": {"properties": {"b": TEXT}}},
    }
    view = Outline(schema)
    assert pointers(view.objects()) == []
    assert pointers(view.compositions()) == [""]


def test_a_definition_that_is_a_piece_somewhere_is_a_piece_everywhere() -> None:
    base = {"properties": {"id": TEXT}}
    schema = {
        "type": "object",
        "properties": {
            "plain": {"$ref": "#/$defs/Base"},
            "more": {"allOf": [{"$ref": "#/$defs/Base"}], "properties": {"b": TEXT}},
        },
        "$defs": {"Base": base},
    }
    view = Outline(schema)
    assert pointers(view.objects()) == [""]
    assert pointers(view.compositions()) == ["/properties/more"]


def test_pieces_that_only_restate_leave_their_object_whole() -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"enum": ["a", "b"]}, "a": TEXT},
        "oneOf": [
            {"properties": {"kind": {"const": "a"}}, "required": ["a"]},
            {"properties": {"kind": {"const": "b"}}},
        ],
    }
    view = Outline(schema)
    assert pointers(view.objects()) == [""]
    assert view.requires_in_pieces(schema)
    assert pointers(view.properties()) == ["/properties/kind", "/properties/a"]


def test_a_nullable_reference_keeps_its_target_whole() -> None:
    schema = {
        "type": "object",
        "properties": {"home": {"anyOf": [{"$ref": "#/$defs/Home"}, {"type": "null"}]}},
        "$defs": {"Home": {"type": "object", "properties": {"street": TEXT}}},
    }
    assert pointers(Outline(schema).objects()) == ["", "/$defs/Home"]


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        ({"type": "string"}, STRING),
        ({"type": "array"}, ARRAY),
        ({"type": ["string", "array"]}, STRING | ARRAY),
        ({"type": "integer"}, 0),
        ({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]}, 0),
        ({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "string"}]}, STRING),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "maxLength": 3}, 0),
        ({"allOf": [{"type": "string"}, {"maxLength": 3}]}, 0),
        ({"allOf": [{"$ref": "#/$defs/Short"}], "description": "x"}, 0),
        ({"$ref": "#/$defs/Loop"}, 0),
        ({"type": "string", "maxLength": True}, STRING),
    ],
)
def test_length_is_bounded_by_whatever_applies_in_place(schema: dict[str, Any], kinds: int) -> None:
    root = {
        "properties": {"x": schema},
        "$defs": {"Short": {"type": "string", "maxLength": 3}, "Loop": {"$ref": "#/$defs/Loop"}},
    }
    assert Outline(root).unbounded(schema) == kinds


def test_what_is_beyond_the_budget_is_inconclusive_after_what_is_within_it() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"x": {}}}
    for _ in range(200):
        schema = {"type": "object", "properties": {"inner": schema}}
    view = Outline(schema)
    seen = 0
    with pytest.raises(Inconclusive, match="nested deeper than"):
        for _ in view.objects():
            seen += 1
    assert seen == 129


def test_malformed_keywords_are_passed_over() -> None:
    schema = {
        "type": 5,
        "properties": [],
        "required": "x",
        "anyOf": {},
        "allOf": [5, None],
        "$ref": 7,
        "items": "x",
        "$defs": 1,
    }
    view = Outline(schema)
    assert pointers(view.objects()) == [""]
    assert view.parameters == {}
    assert view.required == frozenset()
    assert not view.constrained(schema)
