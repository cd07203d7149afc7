"""What class a tool is of."""

from __future__ import annotations

import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.policy import HINTS, Classified, ToolClass, classify, graver, well_formed
from mcptest.policy.words import DESTRUCTIVE, MUTATING, split

NEUTRAL = ["file", "record", "user", "list", "get", "search", "http", "all", "or", "settings", "dropdown", "killer"]
SHAPES = {
    "snake": lambda words: "_".join(words),
    "kebab": lambda words: "-".join(words),
    "dotted": lambda words: ".".join(words),
    "path": lambda words: "/".join(words),
    "spaced": lambda words: " ".join(words),
    "screaming": lambda words: "_".join(words).upper(),
    "camel": lambda words: words[0] + "".join(word.title() for word in words[1:]),
    "pascal": lambda words: "".join(word.title() for word in words),
}
names = st.builds(
    lambda words, shape: (words, SHAPES[shape](words)),
    st.lists(st.sampled_from([*NEUTRAL, *sorted(DESTRUCTIVE), *sorted(MUTATING)]), min_size=1, max_size=5),
    st.sampled_from(sorted(SHAPES)),
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from([*HINTS, "title"]), inner, max_size=4),
    max_leaves=8,
)
hints = st.dictionaries(st.sampled_from(HINTS), st.booleans())


def expected_from_name(words: list[str]) -> ToolClass:
    if DESTRUCTIVE & set(words):
        return ToolClass.DESTRUCTIVE
    return ToolClass.MUTATING if MUTATING & set(words) else ToolClass.READ_ONLY_PRESUMED


@given(names)
def test_a_name_is_split_at_separators_and_humps(named):
    words, name = named
    assert split(name) == words


@given(names)
def test_without_annotations_the_words_of_the_name_decide(named):
    words, name = named
    found = classify(name)
    assert found.tool_class is expected_from_name(words)
    assert found.source == "name"


@given(names, hints)
def test_annotations_win_over_the_name_in_the_order_read_only_destructive_not_idempotent(named, given_hints):
    words, name = named
    found = classify(name, given_hints)
    if given_hints.get("readOnlyHint"):
        expected = ToolClass.READ_ONLY
    elif given_hints.get("destructiveHint"):
        expected = ToolClass.DESTRUCTIVE
    elif given_hints.get("idempotentHint") is False:
        expected = ToolClass.MUTATING
    else:
        expected = expected_from_name(words)
    assert found.tool_class is expected


@given(names, anything)
def test_a_malformed_annotations_object_changes_nothing_but_is_noted(named, annotations):
    found = classify(named[1], annotations)
    if annotations is not None and not well_formed(annotations):
        assert found.tool_class is classify(named[1]).tool_class
        assert found.malformed


@given(st.text(string.printable, max_size=40), anything)
def test_any_name_and_any_annotations_get_a_class_with_a_reason(name, annotations):
    found = classify(name, annotations)
    assert isinstance(found.tool_class, ToolClass)
    assert found.reason


@pytest.mark.parametrize(
    ("name", "annotations", "expected"),
    [
        ("deleteFile", None, ToolClass.DESTRUCTIVE),
        ("delete-file", None, ToolClass.DESTRUCTIVE),
        ("delete_file", None, ToolClass.DESTRUCTIVE),
        ("create_or_delete", None, ToolClass.DESTRUCTIVE),
        ("undeleted", None, ToolClass.READ_ONLY_PRESUMED),
        ("settings", None, ToolClass.READ_ONLY_PRESUMED),
        ("address_book", None, ToolClass.READ_ONLY_PRESUMED),
        ("HTTPPost", None, ToolClass.MUTATING),
        ("delete_file", {"destructiveHint": "yes"}, ToolClass.DESTRUCTIVE),
        ("search", {"destructiveHint": "yes"}, ToolClass.READ_ONLY_PRESUMED),
        ("search", {"readOnlyHint": 1}, ToolClass.READ_ONLY_PRESUMED),
        ("delete_file", {"readOnlyHint": True, "destructiveHint": True}, ToolClass.READ_ONLY),
        ("search", {"readOnlyHint": False, "idempotentHint": False}, ToolClass.MUTATING),
        ("search", [], ToolClass.READ_ONLY_PRESUMED),
    ],
)
def test_the_cases_of_the_specification(name: str, annotations: Any, expected: ToolClass):
    assert classify(name, annotations).tool_class is expected


@given(st.sampled_from(ToolClass), st.sampled_from(ToolClass))
def test_of_two_opinions_the_graver_counts_whatever_their_order(one, other):
    a, b = Classified("x", one, "name", "a"), Classified("x", other, "name", "b")
    order = [ToolClass.READ_ONLY, ToolClass.READ_ONLY_PRESUMED, ToolClass.MUTATING, ToolClass.DESTRUCTIVE]
    assert graver(a, b).tool_class is graver(b, a).tool_class is max(one, other, key=order.index)
