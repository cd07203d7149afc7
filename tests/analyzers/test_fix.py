from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptest import catalogue, rulepages
from mcptest.analyzers import fix, lint, load_rules
from mcptest.cli.rulepages import FIXTURES
from mcptest.schemas import SchemaError, Validator

RULES = [rule for rule in load_rules() if rule.id in ("SCH-001", "SCH-002")]


def tool(schema: Any) -> dict[str, Any]:
    return {"name": "t", "inputSchema": schema}


def fixed(schema: Any, **style: Any) -> Any:
    return json.loads(fix(json.dumps(tool(schema), **style)).text)["inputSchema"]


def complaints(text: str) -> list[str]:
    verdicts = lint(catalogue.read(text, "x"), RULES)
    return [f"{finding.rule} {finding.within}" for verdict in verdicts for finding in verdict.findings]


names = st.text(alphabet='ab"\\é😀/~ ', max_size=3)
leaves = st.sampled_from(
    [{}, {"type": "string"}, {"type": "integer", "default": 1}, {"enum": ["x"]}, {"$ref": "#/$defs/D"}]
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(
        lambda properties, required, rest, order: {
            key: value
            for key, value in order(
                [
                    ("type", "object"),
                    ("properties", properties),
                    ("required", required),
                    ("additionalProperties", rest),
                    ("description", "x"),
                ]
            )
            if value is not None
        },
        st.dictionaries(names, inner, max_size=4),
        st.none() | st.lists(names, max_size=2, unique=True),
        st.sampled_from([None, True, False, {}, {"type": "string"}]),
        st.sampled_from([lambda items: items, lambda items: items[::-1]]),
    )


schemas = st.recursive(
    leaves,
    lambda inner: (
        objects(inner)
        | st.builds(lambda item: {"type": "array", "items": item}, inner)
        | st.builds(
            lambda keyword, branches: {keyword: branches},
            st.sampled_from(["anyOf", "oneOf", "allOf"]),
            st.lists(inner, min_size=1, max_size=3),
        )
    ),
    max_leaves=8,
)
roots = st.builds(lambda schema, definition: {**schema, "$defs": {"D": definition}}, objects(schemas), objects(leaves))
styles = st.sampled_from(
    [{}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}, {"ensure_ascii": False, "indent": 4}]
)


@given(roots, styles)
@settings(max_examples=150)
def test_any_schema_comes_out_tightened_and_a_second_time_unchanged(schema: Any, style: Any) -> None:
    text = json.dumps([tool(schema)], **style)
    once = fix(text).text
    assert complaints(once) == []
    assert fix(once).text == once


@given(roots, styles)
@settings(max_examples=150)
def test_nothing_else_changes(schema: Any, style: Any) -> None:
    """Taken out again, what was added leaves the values as they were."""
    before, after = json.loads(json.dumps(schema)), fixed(schema, **style)
    todo = [(before, after)]
    while todo:
        old, new = todo.pop()
        if isinstance(old, dict):
            assert set(old) <= set(new)
            assert set(new) - set(old) <= {"required", "additionalProperties"}
            for key in old:
                if key == "required" and isinstance(old[key], list) and isinstance(new[key], list):
                    assert new[key][: len(old[key])] == old[key]
                elif key == "additionalProperties" and new[key] is False:
                    assert old[key] in (True, False, {})
                else:
                    todo.append((old[key], new[key]))
        elif isinstance(old, list):
            assert len(old) == len(new)
            todo += list(zip(old, new, strict=True))
        else:
            assert old == new


def test_every_declared_property_becomes_required_at_every_depth() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "object", "properties": {"b": {}, "c": {}}, "required": ["c"]}},
        "$defs": {"D": {"type": "object", "properties": {"e": {}}}},
    }
    result = fixed(schema)
    assert result["required"] == ["a"]
    assert result["properties"]["a"]["required"] == ["c", "b"]
    assert result["$defs"]["D"]["required"] == ["e"]
    assert result["additionalProperties"] is result["properties"]["a"]["additionalProperties"] is False


def test_no_type_or_limit_is_invented() -> None:
    assert fixed({"type": "object", "properties": {"a": {}, "b": {"type": "string"}}})["properties"] == {
        "a": {},
        "b": {"type": "string"},
    }


def test_what_is_tight_already_is_not_touched() -> None:
    text = json.dumps(
        tool({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"], "additionalProperties": False})
    )
    assert fix(text).text == text
    assert fix(text).changed == ()


def test_free_form_values_and_typed_maps_keep_what_they_accept() -> None:
    schema = {
        "type": "object",
        "properties": {
            "any": {"type": "object"},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["any", "map"],
        "additionalProperties": False,
    }
    assert fixed(schema) == schema


def test_pieces_of_a_composed_object_are_left_satisfiable() -> None:
    schema = {
        "type": "object",
        "allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": {"type": "integer"}}}],
        "properties": {"c": {"type": "integer"}},
    }
    assert Validator(fixed(schema)).is_valid({"a": 1, "b": 2, "c": 3})


def test_alternatives_by_required_stay_possible() -> None:
    schema = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "oneOf": [{"required": ["id"]}, {"required": ["name"]}],
    }
    validator = Validator(fixed(schema))
    assert validator.is_valid({"id": 1})
    assert not validator.is_valid({"id": 1, "other": 2})


FORMATTED = """\
{
\t"tools":   [ {"name":"t",
    "inputSchema": {
        "type": "object", "maximum": 1.0, "x": 1e5,
        "properties": {"\\u00e9": {"type": "string"}, "dup": {}, "dup": {"type": "number"} },
        "additionalProperties" : true
    } , "description": "a\\/b"} ]
}
"""
FORMATTED_FIXED = """\
{
\t"tools":   [ {"name":"t",
    "inputSchema": {
        "type": "object", "maximum": 1.0, "x": 1e5,
        "properties": {"\\u00e9": {"type": "string"}, "dup": {}, "dup": {"type": "number"} },
        "additionalProperties" : false,
        "required" : [
            "\\u00e9",
            "dup"
        ]
    } , "description": "a\\/b"} ]
}
"""


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_formatting_escapes_numbers_and_repeated_keys_stay_as_they_are(mark: str, newline: str) -> None:
    before = mark + FORMATTED.replace("\n", newline)
    assert fix(before).text == mark + FORMATTED_FIXED.replace("\n", newline)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"type":"object"}', '{"type":"object","additionalProperties":false}'),
        ("{}", '{"additionalProperties": false}'),
        (
            '{"properties": {"a": {}}, "required": [ ]}',
            '{"properties": {"a": {}}, "required": ["a"], "additionalProperties": false}',
        ),
        (
            '{"properties": {"a": {}, "b": {}}, "required": ["b"]}',
            '{"properties": {"a": {}, "b": {}}, "required": ["b", "a"], "additionalProperties": false}',
        ),
        (
            '{"properties": {"a": {}}, "required": true, "additionalProperties": {}}',
            '{"properties": {"a": {}}, "required": ["a"], "additionalProperties": false}',
        ),
    ],
)
def test_each_kind_of_edit(before: str, after: str) -> None:
    comma = "," if '"type":"object"' in before else ", "
    assert fix(f'{{"name":"t"{comma}"inputSchema":{before}}}').text == f'{{"name":"t"{comma}"inputSchema":{after}}}'


def test_a_list_written_one_name_a_line_grows_by_lines() -> None:
    text = json.dumps(tool({"properties": {"a": {}, "b": {}}, "required": ["a"]}), indent=2)
    assert '"required": [\n      "a",\n      "b"\n    ]' in fix(text).text


def test_a_tool_over_budget_is_left_alone_and_named() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"x": {}}}
    for _ in range(200):
        schema = {"type": "object", "properties": {"inner": schema}}
    result = fix(json.dumps([tool(schema), {"name": "u", "inputSchema": {"type": "object"}}]))
    assert (result.skipped, result.changed) == (("t",), ("u",))


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_the_fix_of_each_fixture_passes_and_full_arguments_still_validate(rule: Any) -> None:
    path = FIXTURES / f"{rule.id}.md"
    for case in rulepages.cases(path.read_text(encoding="utf-8"), path.name):
        for listing in case.listings:
            result = fix(listing)
            assert complaints(result.text) == []
            befores, afters = catalogue.read(listing, "x").tools, catalogue.read(result.text, "x").tools
            for before, after in zip(befores, afters, strict=True):
                if before.input_schema != after.input_schema:
                    check_arguments(before.input_schema, after.input_schema)


def check_arguments(before: Any, after: Any) -> None:
    try:
        old, new = Validator(before), Validator(after)
    except SchemaError:
        return
    arguments = example(before, before)
    if isinstance(arguments, dict) and set(before.get("properties", {})) <= set(arguments) and old.is_valid(arguments):
        assert new.is_valid(arguments), (arguments, after)


def example(schema: Any, root: Any, depth: int = 0) -> Any:
    """A value that names every property, as a careful caller would send it."""
    if not isinstance(schema, dict) or depth > 8:
        return "x"
    if "$ref" in schema and schema["$ref"].startswith("#/$defs/"):
        return example(root.get("$defs", {}).get(schema["$ref"][8:]), root, depth + 1)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    for keyword in ("anyOf", "oneOf"):
        if schema.get(keyword) and "properties" not in schema:
            return example(schema[keyword][0], root, depth + 1)
    if schema.get("allOf"):
        return {key: value for branch in schema["allOf"] for key, value in example(branch, root, depth + 1).items()}
    if schema.get("type") == "object" or "properties" in schema:
        return {name: example(value, root, depth + 1) for name, value in schema.get("properties", {}).items()}
    kinds = {"integer": 1, "number": 1, "boolean": True, "array": [], "null": None}
    kind = schema.get("type")
    return kinds.get(kind if isinstance(kind, str) else "string", "x")
