"""How two JSON values differ."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.replay.comparing import Change, differences
from mcptest.replay.masks import Mask, MaskSet
from mcptest.replay.shapes import shape_differences

NO_MASKS = MaskSet((), ()).of("tools/call", "x")
DEFAULT = MaskSet().of("tools/call", "x")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text('abc{["', max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)


def told(recorded, replayed, masks=NO_MASKS):
    return [(one.change, one.pointer) for one in differences(recorded, replayed, masks)]


@given(json_values)
def test_a_value_does_not_differ_from_itself(value):
    for masks in (NO_MASKS, DEFAULT):
        assert told(value, copy.deepcopy(value), masks) == []


@given(json_values, json_values)
def test_different_values_differ_and_the_same_way_twice(one, other):
    found = told(one, other)
    assert bool(found) is (json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True)) or isinstance(one, str)
    assert found == told(one, other)


@given(json_values, json_values)
def test_masks_only_ever_take_differences_away(one, other):
    assert len(told(one, other, DEFAULT)) <= len(told(one, other))


@pytest.mark.parametrize(
    ("recorded", "replayed", "expected"),
    [
        ({"a": 1}, {"a": 2}, [(Change.CONTENT, "/a")]),
        ({"a": 1}, {"a": "1"}, [(Change.SHAPE, "/a")]),
        ({"a": 1}, {"a": True}, [(Change.SHAPE, "/a")]),
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": None}, {}, [(Change.REMOVED, "/a")]),
        ({}, {"a/b~": None}, [(Change.ADDED, "/a~1b~0")]),
        ([1, 2, 3], [1, 3], [(Change.REMOVED, "/1")]),
        ([1, 3], [1, 2, 3], [(Change.ADDED, "/1")]),
        ([1, 2], [2, 1], [(Change.ORDER, "")]),
        ([1, 2], [1, 3], [(Change.CONTENT, "/1")]),
        ([{"name": "a", "x": 1}, {"name": "b"}], [{"name": "b"}, {"name": "a", "x": 2}],
         [(Change.ORDER, ""), (Change.CONTENT, "/0/x")]),
        ([{"name": "a"}, {"name": "b"}], [{"name": "b"}], [(Change.REMOVED, "/0")]),
        ('{"a": 1}', '{"a":1}', []),
        ('{"a": 1}', '{"a": 2, "b": 3}', [(Change.CONTENT, "#/a"), (Change.ADDED, "#/b")]),
        ("{not json", "{not json either", [(Change.CONTENT, "")]),
        ({"t": "[1, 2]"}, {"t": "none"}, [(Change.CONTENT, "/t")]),
    ],
)  # fmt: skip
def test_what_is_told_of_a_difference(recorded, replayed, expected):
    assert told(recorded, replayed) == expected


@pytest.mark.parametrize(
    ("recorded", "replayed", "same"),
    [
        ({"at": "2026-01-01T10:00:00Z"}, {"at": "2026-02-03T11:12:13.5+02:00"}, True),
        ({"at": "2026-01-01T10:00:00Z"}, {"at": "never"}, False),
        ({"text": "seen 2026-01-01 10:00:00 by x"}, {"text": "seen 2025-12-31 09:59:59 by x"}, True),
        ({"text": "seen 2026-01-01 by x"}, {"text": "seen 2026-01-02 by y"}, False),
        ({"text": "created at 2:54:36 PM"}, {"text": "created at 12:00:01 AM"}, True),
        ({"text": "1/2/2026, 2:54:36 PM"}, {"text": "11/28/2026, 10:00:00 AM"}, True),
        ({"text": "a ratio of 1:30"}, {"text": "a ratio of 1:40"}, False),
        ({"x": "4f8e7c2a-11ba-4a8b-b833-cd89cb3f3341"}, {"x": "64a9e685-5570-4a9c-8fc2-fef2c59d622e"}, True),
        ({"id": "run_8f3a"}, {"id": "run_91bd77"}, True),
        ({"id": "weather-berlin"}, {"id": "weather-paris"}, False),
        ({"id": 17}, {"id": 18}, True),
        ({"id": 17}, {"id": "18"}, False),
        ({"count": 17}, {"count": 18}, False),
        ({"created": 1760000000}, {"created": 1760000500}, True),
        ({"created": 3}, {"created": 4}, False),
        ({"elapsed_ms": 3}, {"elapsed_ms": 4.5}, True),
        ({"ttlMs": 3}, {"ttlMs": 4}, False),
        ({"text": "done in 12 ms"}, {"text": "done in 3.5 ms"}, True),
        ({"text": "wait 5 seconds"}, {"text": "wait 6 seconds"}, False),
        ({"text": "at 0x7f1003638a40"}, {"text": "at 0x7f10036399b0"}, True),
        ({"token": "redacted-00aa2ca59dff"}, {"token": "anything"}, True),
        ({"text": "Bearer redacted-00aa2ca59dff ok"}, {"text": "Bearer s3cret ok"}, True),
        ({"text": "Bearer redacted-00aa2ca59dff ok"}, {"text": "Bearer s3cret no"}, False),
        ({"pin": 404040412345678}, {"pin": 12}, True),
        ({"token": "redacted-00aa2ca59dff"}, {"token": {"a": 1}}, False),
    ],
)
def test_the_built_in_masks_hide_what_rightly_varies_and_nothing_else(recorded, replayed, same):
    assert (told(recorded, replayed, DEFAULT) == []) is same


@pytest.mark.parametrize(
    ("pointer", "hidden"),
    [
        ("/result/a", ["/result/a"]),
        ("/a", ["/result/a"]),
        ("/result/*/0", ["/result/b/0"]),
        ("/**/x", ["/result/c#/x"]),
        ("/result/c#/x", ["/result/c#/x"]),
        ("/result", ["/result/a", "/result/b/0", "/result/c#/x"]),
    ],
)
def test_a_mask_by_pointer_hides_that_place_alone(pointer, hidden):
    recorded = {"result": {"a": 1, "b": [1], "c": '{"x": 1}'}}
    replayed = {"result": {"a": 2, "b": [2], "c": '{"x": 2}'}}
    everything = {place for _, place in told(recorded, replayed)}
    left = {place for _, place in told(recorded, replayed, MaskSet((Mask(pointer=pointer),), ()).of("tools/call", "t"))}
    assert everything - left == set(hidden)


def test_a_mask_can_be_for_one_tool_or_method():
    masks = MaskSet((Mask(pointer="/a", tool="now*"), Mask(pointer="/b", method="resources/*")), ())
    assert told({"a": 1}, {"a": 2}, masks.of("tools/call", "now_utc")) == []
    assert told({"a": 1}, {"a": 2}, masks.of("tools/call", "then")) != []
    assert told({"b": 1}, {"b": 2}, masks.of("resources/read", "x")) == []


def test_a_mask_by_pattern_hides_what_it_matches():
    masks = MaskSet((Mask(pattern=r"build-\d+"),), ()).of("tools/call", "t")
    assert told("build-1 of x", "build-22 of x", masks) == []
    assert told("build-1 of x", "build-22 of y", masks) != []


@given(json_values)
def test_a_shape_does_not_differ_from_itself(value):
    assert list(shape_differences(value, copy.deepcopy(value), NO_MASKS)) == []


@pytest.mark.parametrize(
    ("recorded", "replayed", "expected"),
    [
        ([1, 2, 3], [4], []),
        ([], [1], []),
        ([{"a": 1}], [{"a": "x"}], [(Change.SHAPE, "/*/a")]),
        ([{"a": 1}, {"a": 1, "b": 2}], [{"a": 1}], []),
        ([{"a": 1}], [{"a": 1, "b": 2}], [(Change.ADDED, "/*/b")]),
        ([1, "x"], ["y"], []),
        ('{"a": 1}', '{"a": "x"}', [(Change.SHAPE, "#/a")]),
        ({"a": None}, {"a": 1}, [(Change.SHAPE, "/a")]),
    ],
)
def test_shapes_forget_content_and_lengths(recorded, replayed, expected):
    assert [(one.change, one.pointer) for one in shape_differences(recorded, replayed, NO_MASKS)] == expected


def test_deep_values_are_compared_without_a_crash():
    for nest in (lambda inner: {"a": inner}, lambda inner: [inner]):
        one, other, third = 1, 1, 2
        for _ in range(900):
            one, other, third = nest(one), nest(other), nest(third)
        assert told(one, other) == []
        assert len(told(one, third)) == 1
