from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.cli import Cli

TOOL = {
    "name": "a",
    "description": "Finds things.",
    "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}},
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, change in {
        "old": {},
        "same": {},
        "risky": {"description": "Finds other things."},
        "breaking": {"inputSchema": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    }.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"tools": [{**TOOL, **change}]}), encoding="utf-8")
    return tmp_path


def test_no_change_is_fine(cli: Cli) -> None:
    done = cli("diff", "old.json", "same.json")
    assert (done.code, done.out) == (0, "no changes\n")


def test_a_breaking_change_exits_1(cli: Cli) -> None:
    done = cli("diff", "old.json", "breaking.json")
    assert done.code == 1
    assert done.out.startswith("breaking\n  type-changed  tool a: changed its type from 'string' to 'integer'")


def test_a_risk_exits_1_only_where_asked(cli: Cli) -> None:
    assert cli("diff", "old.json", "risky.json").code == 0
    assert cli("diff", "old.json", "risky.json", "--fail-on", "risky").code == 1


def test_changes_are_data_too(cli: Cli) -> None:
    (change,) = json.loads(cli("diff", "old.json", "breaking.json", "--format", "json").out)["findings"]
    assert (change["rule"], change["tool"], change["data"]["class"]) == ("type-changed", "a", "breaking")
    assert (change["data"]["direction"], change["pointer"]) == ("input", "/tools/0/inputSchema/properties/x")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["old.json"], "missing argument 'NEW'"),
        (["old.json", "none.json"], "there is no file none.json"),
        (["old.json", "same.json", "--fail-on", "any"], "unknown class 'any'; known: breaking, risky, safe"),
        (["-", "-"], "only one of the two can come from standard input"),
    ],
)
def test_wrong_use_is_one_clear_line(cli: Cli, arguments: list[str], complaint: str) -> None:
    done = cli("diff", *arguments)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.complaint
