"""Whatever stands in a suite's file, it is read, or refused with the place of what is wrong."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcptest.errors import UsageError
from mcptest.schemas import Validator
from mcptest.suites import Suite, schema
from tests.suites.made import read

EXPECT = [
    {"target": "result.content[0].text", "matcher": {"any_of": [{"contains": "x"}, {"not": {"regex": "^a"}}]}},
    {"target": "duration_ms", "matcher": {"schema": {"maximum": 5}}},
]
WHOLE: dict[str, Any] = {
    "variables": {"a": "x", "b": [1, "${a}"]},
    "servers": {
        "one": {"command": ["python", "x.py"], "args": [1], "cwd": ".", "env": {"A": "${a}"}, "timeout": 5},
        "two": {"url": "http://127.0.0.1:9/mcp", "headers": {"X": "y"}, "spec_version": "2025-11-25"},
    },
    "mock_server": {"name": "mock", "tools": [{"name": "t", "response": "${args.x}"}]},
    "tools": [
        {"name": "a", "server": "one", "tool": "t", "args": {"x": "${b}"}, "expect": EXPECT, "serial": True},
        {"server": "two", "tool": "t", "negative_path": {"checks": ["wrong_type"], "timeout": 1}, "skip": "no"},
        {"server": "mock", "call": "t", "fuzz": {"cases": 3, "seed": 1}, "timeout": 2},
    ],
    "resources": [{"server": "one", "uri": "x://y", "expect": EXPECT}],
    "prompts": [{"server": "one", "prompt": "p", "args": {"x": "y"}}],
    "tool_quality": [{"server": "one", "expect": [{"target": 'tool["t"].score', "matcher": {"exact": 1}}]}],
    "replay": {"server": "one", "capture": "last", "masks": ["/result/x", {"pattern": "x"}], "compare": "shape"},
    "compliance": {"server": "one", "spec_version": "v2025-11-25", "tests": ["TOOLS"]},
}
EDITORS = Validator(schema())
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from(["", "x", "${a}", "${", "$${x}", "${nope}", "result[", "one", "draft", "/x", "é\x1b"]),
    st.just([]),
    st.just({}),
    st.just([{}]),
    st.just({"x": 1}),
    st.just({"exact": {"x": None}}),
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, member in inside for found in paths(member, (*path, key)))]


PATHS = [path for path in paths(WHOLE) if path]


@given(st.lists(st.tuples(st.sampled_from(PATHS), VALUES, st.booleans()), min_size=1, max_size=3))
@settings(max_examples=100)
def test_a_suite_with_anything_in_it_is_read_or_refused_with_a_place(changes):
    document = copy.deepcopy(WHOLE)
    for path, value, removes in changes:
        holder: Any = document
        try:
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]]
        except (KeyError, IndexError, TypeError):
            continue
        if removes:
            del holder[path[-1]]
        else:
            holder[path[-1]] = value
    try:
        made = read(json.dumps(document, ensure_ascii=False))
    except UsageError as error:
        assert re.match(r"suite\.yml:\d+:\d+: .", str(error))
    else:
        assert isinstance(made, Suite)
        assert EDITORS.problems(document) == []


def test_the_whole_suite_is_read():
    assert len(read(json.dumps(WHOLE)).entries) == 8
