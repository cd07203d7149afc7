from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest import jsontext
from mcptest.jsontext import NotJsonError, pointer, pointer_tokens, same

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_any_document_reads_as_the_standard_parser_reads_it(value: object, indent: object, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert jsontext.value(jsontext.parse(text), text) == json.loads(text)


@given(values)
def test_every_span_holds_its_value(value: object) -> None:
    text = json.dumps(value, indent=1)
    todo = [(jsontext.parse(text), value)]
    while todo:
        node, expected = todo.pop()
        assert json.loads(text[node.start : node.end]) == expected
        if isinstance(expected, dict):
            todo += [(member.node, expected[member.key]) for member in node.members]
            assert [json.loads(text[member.key_start : member.key_end]) for member in node.members] == list(expected)
        elif isinstance(expected, list):
            todo += list(zip(node.items, expected, strict=True))


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \\u\n', max_size=30))
def test_what_the_standard_parser_refuses_is_refused(text: str) -> None:
    try:
        expected = json.loads(text, parse_constant=pytest.skip)
    except ValueError:
        with pytest.raises(NotJsonError):
            jsontext.parse(text)
    else:
        assert jsontext.value(jsontext.parse(text), text) == expected


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("{", 1, 2),
        ('{"a": 1,}', 1, 9),
        ("[1,\n 2,\n x]", 3, 2),
        ("[1] 2", 1, 5),
        ('{"a" 1}', 1, 5),
        ("nul", 1, 1),
    ],
)
def test_a_broken_document_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(NotJsonError) as caught:
        jsontext.read(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_depth_costs_no_recursion() -> None:
    text = "[" * 200_000 + "]" * 200_000
    found, depth = jsontext.read(text), 0
    while found:
        found, depth = found[0], depth + 1
    assert depth == 199_999


def test_an_unterminated_string_is_refused_in_linear_time() -> None:
    with pytest.raises(NotJsonError):
        jsontext.parse('["' + "a" * 2_000_000)


def test_lone_surrogates_and_huge_numbers_are_read() -> None:
    assert jsontext.read('["\\ud800", 1e400]') == ["\ud800", float("inf")]
    assert jsontext.value(jsontext.parse("1" * 5000), "1" * 5000) == float("inf")


def test_of_a_repeated_key_the_last_one_counts() -> None:
    text = '{"a": {"x": 1}, "a": {"x": 2}}'
    tree = jsontext.parse(text)
    node = tree.at("/a/x")
    assert node is not None
    assert text[node.start : node.end] == "2"
    assert jsontext.value(tree, text) == json.loads(text)


@given(st.lists(st.text()))
def test_pointers_come_apart_as_they_were_put_together(tokens: list[str]) -> None:
    assert pointer_tokens(pointer(*tokens)) == tokens


def test_a_pointer_that_leads_nowhere_finds_nothing() -> None:
    tree = jsontext.parse('{"a": [1]}')
    assert [tree.at(where) for where in ("/b", "/a/1", "/a/x", "/a/0/c", "/a/-1", "/a/٠")] == [None] * 6


def test_lines_end_with_newlines_only() -> None:
    lines = jsontext.Lines("a\u2028b\r\nc\rd\ne")
    assert [lines.position(offset) for offset in (0, 2, 5, 7, 9)] == [(1, 1), (1, 3), (2, 1), (2, 3), (3, 1)]


def _said(value: object) -> object:
    """The value with its truth values told apart from the numbers that Python takes for them."""
    if isinstance(value, bool):
        return str, str(value)
    if isinstance(value, list):
        return [_said(item) for item in value]
    if isinstance(value, dict):
        return {key: _said(member) for key, member in value.items()}
    return value


@given(values, values)
def test_sameness_is_equality_of_what_json_says(left: object, right: object) -> None:
    assert same(left, json.loads(json.dumps(left)))
    assert same(left, right) == (_said(left) == _said(right))


def test_true_is_not_one_and_one_is_one() -> None:
    assert not same([True], [1])
    assert same([1], [1.0])
    deep_left: list[object] = []
    deep_right: list[object] = []
    for _ in range(50_000):
        deep_left, deep_right = [deep_left], [deep_right]
    assert same(deep_left, deep_right)
