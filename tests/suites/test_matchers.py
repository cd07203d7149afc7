from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptest import yamltext
from mcptest.suites.matchers import Matching
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot
from mcptest.suites.targets import MISSING, parse, written


def problem(matcher: str, value, snapshots: Snapshots | None = None) -> str | None:
    document = yamltext.read(matcher, "matcher.yml")
    made = Matching().read(Spot(document, (), document.value))
    return made.problem(value, snapshots or Snapshots(Path()))


@pytest.mark.parametrize(
    ("matcher", "value"),
    [
        ("exact: 1", 1.0),
        ("exact: {a: [1, null]}", {"a": [1, None]}),
        ("contains: ell", "hello"),
        ("contains: 2", [1, 2]),
        ("contains: {a: 1}", {"a": 1, "b": 2}),
        ("regex: '^h.l+o$'", "hello"),
        ("regex: ell", "hello"),
        ("schema: {maximum: 3}", 3),
        ("schema: {type: object, required: [a]}", {"a": 1}),
        ("not: {exact: 1}", 2),
        ("not: {exact: 1}", MISSING),
        ("not: {contains: x}", "hello"),
        ("any_of: [{exact: 1}, {contains: ell}]", "hello"),
        ("not: {any_of: [{exact: 1}, {exact: 2}]}", 3),
    ],
)
def test_a_matcher_is_content_with(matcher, value):
    assert problem(matcher, value) is None


@pytest.mark.parametrize(
    ("matcher", "value", "said"),
    [
        ("exact: true", 1, "not true"),
        ("exact: null", MISSING, "not null"),
        ("exact: '1'", 1, 'not "1"'),
        ("contains: x", "hello", 'which does not contain "x"'),
        ("contains: x", 5, 'which does not contain "x"'),
        ("contains: {a: 2}", {"a": 1}, 'which does not contain {"a": 2}'),
        ("regex: '^ell'", "hello", "which does not match '^ell'"),
        ("regex: a", 5, "which is no text"),
        ("schema: {maximum: 3}", 4, "which does not fit the schema: 4 is greater than the maximum of 3"),
        ("schema: {}", MISSING, "not there"),
        ("not: {exact: 1}", 1, 'which it must not be (not {"exact": 1})'),
        ("any_of: [{exact: 1}, {exact: 2}]", 3, "not 1 and not 2"),
    ],
)
def test_a_matcher_says_what_is_wrong(matcher, value, said):
    assert problem(matcher, value) == said


def test_a_regular_expression_takes_linear_time():
    assert problem("regex: '^(a+)+$'", "a" * 50_000 + "!") is not None


def test_a_snapshot_is_missing_until_it_is_written(tmp_path):
    kept = problem("snapshot: seen.json", {"a": 1}, Snapshots(tmp_path))
    assert kept == "and there is no snapshot seen.json yet: write it with --update-snapshots"
    update = Snapshots(tmp_path, update=True)
    assert problem("snapshot: seen.json", {"a": 1}, update) is None
    assert not (tmp_path / "seen.json").exists()
    assert update.save() == ["seen.json"]
    assert json.loads((tmp_path / "seen.json").read_text(encoding="utf-8")) == {"a": 1}
    assert problem("snapshot: seen.json", {"a": 1}, Snapshots(tmp_path)) is None


def test_a_snapshot_tells_where_the_value_differs(tmp_path):
    (tmp_path / "seen.json").write_text('{"a": [1, 2]}', encoding="utf-8")
    said = problem("snapshot: seen.json", {"a": [1, 3]}, Snapshots(tmp_path))
    assert said == "which is not the snapshot seen.json at /a/1: 2 became 3 (accept it with --update-snapshots)"


def test_an_unchanged_snapshot_is_not_written_again(tmp_path):
    update = Snapshots(tmp_path, update=True)
    update.put("below/seen.json", "é\n")
    assert update.save() == ["below/seen.json"]
    update.put("below/seen.json", "é\n")
    assert update.save() == []


def test_a_snapshot_is_never_written_through_a_link(tmp_path):
    (tmp_path / "seen.json").symlink_to(tmp_path / "elsewhere")
    update = Snapshots(tmp_path, update=True)
    update.put("seen.json", 1)
    with pytest.raises(Exception, match="symbolic link"):
        update.save()


@pytest.mark.parametrize(
    ("target", "value"),
    [
        ("a", {"b": [{"c.d": 5}]}),
        ("a.b[0]", {"c.d": 5}),
        ('a.b[0]["c.d"]', 5),
        ("a.b[1]", MISSING),
        ("a.b.c", MISSING),
        ("a[0]", MISSING),
        ("b", MISSING),
    ],
)
def test_a_target_leads_into_a_value(target, value):
    assert parse(target).of({"a": {"b": [{"c.d": 5}]}}) == value


@pytest.mark.parametrize("steps", [("a", 0, "b"), ("a", "x.y", "z"), ("tool", 'say "hi"', "score"), ("a", "")])
def test_a_written_target_leads_back(steps):
    assert parse(written(*steps)).steps == steps
