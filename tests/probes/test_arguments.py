"""What is made from input schemas: good arguments, spoilt ones, fuzzed ones, and smaller ones."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcptest.probes import CHECKS
from mcptest.probes.examples import example
from mcptest.probes.shrinking import shrink, simpler
from mcptest.probes.strategies import arguments
from mcptest.probes.subject import Skip, Subject
from mcptest.schemas import Validator

RICH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 3, "maxLength": 8},
        "when": {"type": "string", "format": "date"},
        "count": {"type": "integer", "minimum": 5, "multipleOf": 5},
        "share": {"type": "number", "exclusiveMinimum": 1, "maximum": 3},
        "kind": {"enum": ["a", "b"]},
        "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}, "minItems": 2},
        "flag": {"type": "boolean"},
        "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "inner": {"allOf": [{"properties": {"x": {"const": 7}}, "required": ["x"]}], "type": "object"},
    },
    "required": ["text", "when", "count", "share", "kind", "tags", "flag", "either", "inner"],
    "$defs": {"tag": {"type": "string", "minLength": 1}},
    "additionalProperties": False,
}
PLAIN: dict[str, Any] = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
    "required": ["query"],
}


def test_an_example_fits_its_schema():
    assert Validator(RICH).problems(example(RICH)) == []


@pytest.mark.parametrize("schema", [{}, {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}])
def test_an_example_is_made_of_any_schema(schema):
    assert isinstance(Subject({"name": "x", "inputSchema": schema}).base, dict)


def spoilt(check: str, schema: dict[str, Any], base: dict[str, Any] | None = None) -> list[Any]:
    spoil = CHECKS[check].spoil
    assert spoil is not None
    return list(spoil(Subject({"name": "search", "inputSchema": schema}, base, 100)))


@pytest.mark.parametrize("check", ["missing_required", "wrong_type", "extra_field", "null_argument", "bad_enum"])
def test_what_must_be_refused_is_against_the_schema(check):
    found = spoilt(check, RICH)
    assert found
    assert not any(Validator(RICH).is_valid(case.arguments) for case in found)
    assert all(case.strict for case in found)


def test_only_the_base_arguments_are_spoilt():
    assert [case.arguments for case in spoilt("missing_required", PLAIN, {"query": "q", "limit": 2})] == [{"limit": 2}]
    assert [case.arguments for case in spoilt("null_argument", PLAIN, {"query": "q"})] == [
        {"query": None},
        {"query": "q", "limit": None},
    ]


def test_an_oversized_argument_goes_into_a_string():
    (case,) = spoilt("oversized", PLAIN)
    assert case.arguments == {"query": "x" * 100}
    assert not case.strict


@pytest.mark.parametrize(
    ("check", "schema"),
    [
        ("missing_required", {"type": "object"}),
        ("wrong_type", {"type": "object", "properties": {}}),
        ("extra_field", PLAIN),
        ("bad_enum", PLAIN),
        ("boundary_number", {"type": "object", "properties": {"a": {"type": "string"}}}),
    ],
)
def test_a_probe_that_does_not_apply_says_why(check, schema):
    with pytest.raises(Skip):
        spoilt(check, schema)


def test_the_same_seed_makes_the_same_arguments():
    assert arguments(PLAIN, None, 60, 7) == arguments(PLAIN, None, 60, 7)
    assert arguments(PLAIN, None, 60, 7) != arguments(PLAIN, None, 60, 8)


def test_the_same_seed_makes_the_same_arguments_whatever_code_is_loaded():
    code = (
        "import json, sys\n"
        "from mcptest.probes.strategies import arguments\n"
        "print(json.dumps(arguments(json.loads(sys.argv[1]), None, 60, 7)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(PLAIN)], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(done.stdout) == arguments(PLAIN, None, 60, 7)


def test_fuzzed_arguments_are_good_and_bad_and_all_different():
    made = arguments(PLAIN, {"query": "good"}, 200, 1)
    assert len({json.dumps(one, sort_keys=True) for one in made}) == len(made) == 200
    fits = [Validator(PLAIN).is_valid(one) for one in made]
    assert any(fits)
    assert not all(fits)
    assert {"query": "\0"} in made


def test_a_tool_without_arguments_gives_few_cases():
    made = arguments({"type": "object", "properties": {}, "additionalProperties": False}, None, 5, 1)
    assert {} in made


KEYWORDS = st.sampled_from(
    ["type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "pattern", "format", "items", "minItems",
     "required", "properties", "anyOf", "allOf", "oneOf", "$ref", "additionalProperties", "multipleOf", "default"]
)  # fmt: skip
ODD = st.sampled_from(
    [None, True, False, -1, 0, 1, 2.5, 10**9, 1e300, "", "string", "number", "integer", "object", "array", "null", "date",
     "#", "#/properties/a", "(a+)+$", "[", "^[a-z]{3}$", [], ["string", "null"], ["a"], [{}], [{"$ref": "#"}], {}]
)  # fmt: skip
SCHEMAS = st.recursive(
    st.dictionaries(KEYWORDS, ODD, max_size=4),
    lambda inner: st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(st.just("a"), inner)}
    ),
    max_leaves=3,
)


@given(SCHEMAS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.nested_given])
def test_whatever_a_server_takes_for_a_schema_is_coped_with(schema):
    subject = Subject({"name": "x", "inputSchema": schema}, None, 100)
    for check in CHECKS.values():
        if check.spoil is not None:
            try:
                list(check.spoil(subject))
            except Skip:
                pass
    json.dumps(arguments(schema, None, 4, 1))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.floats(-99, 99) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@given(json_values)
@settings(max_examples=50)
def test_simpler_values_are_others_and_every_chain_of_them_ends(value):
    for _ in range(3000):
        less = list(simpler(value))
        assert not any(json.dumps(one) == json.dumps(value) for one in less)
        if not less:
            return
        value = less[-1]
    pytest.fail("this does not end")


def test_a_failure_is_shrunk_to_what_makes_it_fail():
    async def fails(value: Any) -> bool:
        return isinstance(value, dict) and "x" in str(value.get("query", "")) and value.get("limit", 0) >= 100

    start = {"query": "a long xylophone", "limit": 4711, "order": [1, 2, 3]}
    assert asyncio.run(shrink(start, fails, 500)) == {"query": "x", "limit": 100}
    assert asyncio.run(shrink(start, fails, 0)) == start
