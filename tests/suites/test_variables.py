from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.suites.made import STRICT, mistakes, read


def args(text: str, **environment: str):
    suite = read(STRICT + text, **environment)
    return suite.entries[0].job.args


def test_a_variable_that_stands_alone_keeps_its_type():
    text = "variables: {n: 3, list: [1, {a: b}]}\ntools: [{tool: search, args: {n: '${n}', l: '${list}'}}]"
    assert args(text) == {"n": 3, "l": [1, {"a": "b"}]}


def test_a_variable_inside_a_text_is_written_out():
    text = "variables: {n: 3, on: true}\ntools: [{tool: search, args: {x: 'n is ${n}, ${on}'}}]"
    assert args(text) == {"x": "n is 3, true"}


def test_the_environment_stands_behind_the_suites_own_variables():
    text = "variables: {a: own}\ntools: [{tool: search, args: {a: '${a}', b: '${b}', c: '${c:-none}'}}]"
    assert args(text, a="theirs", b="theirs") == {"a": "own", "b": "theirs", "c": "none"}


def test_variables_may_use_those_before_them():
    text = "variables: {a: x, b: '${a}${HOME_TOWN}'}\ntools: [{tool: search, args: {b: '${b}'}}]"
    assert args(text, HOME_TOWN="y") == {"b": "xy"}


def test_a_doubled_dollar_is_no_variable():
    assert args("tools: [{tool: search, args: {x: '$${a} and $5 and {a}'}}]") == {"x": "${a} and $5 and {a}"}


def test_a_missing_variable_is_one_clear_line_with_its_place():
    (found,) = mistakes("server: {command: x, env: {TOKEN: '${NO_TOKEN}'}}\ntools: [{tool: x}]")
    assert found == (
        "1:35: ${NO_TOKEN}: the suite has no such variable, and the environment variable NO_TOKEN is not set"
    )


def test_an_empty_environment_variable_counts_as_missing():
    assert "is empty" in mistakes("server: {command: '${X}'}\ntools: [{tool: x}]", X="")[0]


def test_what_looks_like_a_variable_and_is_none_is_told():
    assert "names no variable" in mistakes("server: {command: '${a b}'}\ntools: [{tool: x}]")[0]


def test_a_mock_keeps_its_own_placeholders():
    suite = read(STRICT + "tools: [{tool: search, args: {query: x}}]")
    answer = suite.servers["records"].mock.tools["search"].answer
    assert answer["result"]["content"][0]["text"] == "found ${args.query}"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=40))
def test_any_text_comes_through_once_it_is_escaped(text):
    import json

    from mcptest.suites.writing import _escaped

    document = f"tools: [{{tool: search, args: {json.dumps({'x': _escaped(text)}, ensure_ascii=False)}}}]"
    assert args(document) == {"x": text}
