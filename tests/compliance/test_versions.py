"""Two revisions compared: data, not words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.compliance import Book, Bucket, Corpus, Demand, diff_versions
from mcptest.compliance.versions import Difference, Missing
from mcptest.errors import UsageError
from mcptest.findings import Severity

BOOK = Book.load()
PINS = BOOK.corpora.names


def demand(rule="TOOLS-001", **changes):
    return Demand(rule, "Something holds.", Severity.ERROR, "server", "page", "capture")._replace(**changes)


def corpus(name, *demands):
    return Corpus(name, {one.rule: one for one in demands})


def compared(old, new):
    (entry,) = diff_versions(corpus("a", old), corpus("b", new)).entries
    return entry


def bucket(diff, rule):
    return next(entry.bucket for entry in diff.entries if entry.rule_id == rule)


def test_the_first_revision_into_the_third_changes_and_adds_what_is_known_of_it():
    diff = diff_versions("v2024-11-05", "v2025-06-18")
    assert not diff.is_clean
    assert "PROTO-002" in [entry.rule_id for entry in diff.changed_rules()]
    for rule in ("ELICIT-001", "SAMPLE-001", "ROOTS-001", "RESTPL-001"):
        assert bucket(diff, rule) is Bucket.ADDED


def test_the_draft_keeps_what_the_first_revision_said_of_frames():
    assert bucket(diff_versions("v2024-11-05", "draft"), "PROTO-008") is Bucket.UNCHANGED


def test_the_newest_revision_into_the_draft_is_clean():
    diff = diff_versions("v2026-07-28", "draft")
    assert diff.is_clean
    assert not list(diff.changed_rules())


@pytest.mark.parametrize("pin", PINS)
def test_a_revision_does_not_differ_from_itself(pin):
    diff = diff_versions(pin, pin)
    assert {entry.bucket for entry in diff.entries} == {Bucket.UNCHANGED}
    assert diff.summary["unchanged"] == len(BOOK.corpora.named(pin).demands)


@pytest.mark.parametrize("old", PINS)
@pytest.mark.parametrize("new", PINS)
def test_each_rule_of_either_revision_is_in_one_bucket_and_they_stand_in_order(old, new):
    before, after = BOOK.corpora.named(old), BOOK.corpora.named(new)
    diff = diff_versions(before, after)
    assert [entry.rule_id for entry in diff.entries] == sorted({*before.demands, *after.demands})
    assert sum(diff.summary.values()) == len(diff.entries)
    back = diff_versions(after, before).summary
    assert (back["added"], back["removed"]) == (diff.summary["removed"], diff.summary["added"])
    assert back["changed"] == diff.summary["changed"] == len(list(diff.changed_rules()))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"severity": Severity.WARNING}, {}),
        ({"binds": "both"}, {}),
        ({"transport": ("stdio",)}, {}),
        ({"expect": {"a": 1}}, {"expect": {"a": 2}}),
        ({"expect": {"a": None}}, {"expect": {}}),
        ({"expect": {"a": True}}, {"expect": {"a": 1}}),
        ({"expect": {"a": ["x", "y"]}}, {"expect": {"a": ["y", "x"]}}),
    ],
)
def test_what_is_demanded_changes(old, new):
    entry = compared(demand(**old), demand(**new))
    assert entry.bucket is Bucket.CHANGED
    assert entry.differences()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"text": "In other words."}, {}),
        ({"page": "elsewhere"}, {}),
        ({"decide": "stimulus", "pending": True}, {}),
        ({"expect": {"a": 1, "b": {"c": 2, "d": 3}}}, {"expect": {"b": {"d": 3, "c": 2}, "a": 1}}),
        ({"transport": ("stdio", "sse")}, {"transport": ("sse", "stdio")}),
    ],
)
def test_how_it_is_said_does_not_change_it(old, new):
    entry = compared(demand(**old), demand(**new))
    assert entry.bucket is Bucket.UNCHANGED
    assert entry.differences() == []


def test_a_difference_is_told_by_the_path_to_it():
    entry = compared(demand(expect={"a": {"b": 1, "c": 2}}), demand(expect={"a": {"b": 1}, "d": None}))
    assert entry.differences() == [
        Difference("expect.a.c", 2, Missing.MISSING),
        Difference("expect.d", Missing.MISSING, None),
    ]


def test_a_rule_that_only_one_side_has_is_added_or_removed_and_breaks_nothing():
    diff = diff_versions(corpus("a", demand("A-001")), corpus("b", demand("B-001")))
    assert [(entry.rule_id, entry.bucket) for entry in diff.entries] == [("A-001", "removed"), ("B-001", "added")]
    assert diff.entries[0].to is None
    assert diff.entries[1].from_ is None
    assert diff.is_clean


def test_a_name_that_is_misspelt_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match=r"unknown compliance spec_version: v2025-6-18; did you mean v2025-06-18"):
        diff_versions("v2024-11-05", "v2025-6-18")


_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)
_expects = st.dictionaries(st.text(max_size=2), _values, max_size=3)


@given(_expects, _expects)
def test_a_rule_is_changed_where_and_only_where_a_difference_can_be_shown(old, new):
    entry = compared(demand(expect=old), demand(expect=new))
    assert (entry.bucket is Bucket.CHANGED) == bool(entry.differences())
