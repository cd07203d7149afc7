"""`mcptest compliance`, as a user runs it."""

from __future__ import annotations

import json

import pytest

from mcptest.capture import formats, journals
from mcptest.cli import main
from tests.compliance.transcripts import Talk


def frames(revision="2025-11-25", *lines):
    talk = Talk(revision, {})
    for line in lines:
        talk.add(line, "test")
    talk.finish()
    return talk.frames


def exported(path, *lines, revision="2025-11-25"):
    with path.open("wb") as file:
        formats.get("jsonl").write(frames(revision, *lines), file)
    return str(path)


def test_a_sound_session_passes(tmp_path, capsys):
    code = main(["compliance", "run", exported(tmp_path / "s.jsonl", "> ping", "< result"), "--select", "JSONRPC"])
    assert code == 0
    assert "no findings" in capsys.readouterr().out


def test_a_broken_must_fails_and_shows_the_frame_and_the_page(tmp_path, capsys):
    path = exported(tmp_path / "s.jsonl", "> ping", '< {"id": 1, "result": {}}')
    assert main(["compliance", "run", path, "--select", "JSONRPC", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["rule"] == "JSONRPC-001"
    assert finding["severity"] == "error"
    assert finding["frames"] == [6]


def test_a_journal_can_be_judged_where_it_lies(tmp_path, capsys):
    header, *rest = frames("2025-11-25", "> ping", "< result")
    path = journals.write_whole(tmp_path, iter(rest), header)
    assert main(["compliance", "run", str(path), "--select", "JSONRPC"]) == 0


def test_a_pin_that_differs_is_told(tmp_path, capsys):
    path = exported(tmp_path / "s.jsonl", "> ping", "< result")
    assert main(["compliance", "run", path, "--spec", "v2025-06-18", "--select", "JSONRPC"]) == 0
    assert "pinned to v2025-06-18, observed v2025-11-25: they differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--spec", "v2025-6-18"], "unknown compliance spec_version: v2025-6-18; did you mean v2025-06-18?"),
        (["--select", "JSONRCP"], "did you mean JSONRPC"),
        (["--registry", "/nowhere"], "no such folder"),
    ],
)
def test_what_is_asked_wrongly_is_refused_in_one_line(tmp_path, capsys, arguments, complaint):
    path = exported(tmp_path / "s.jsonl", "> ping", "< result")
    assert main(["compliance", "run", path, *arguments]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_a_suites_own_parameters_judge_in_place_of_the_revisions(tmp_path, capsys):
    exported(tmp_path / "s.jsonl", "> tools/call {}", "< error -32602 no such tool")
    suite = tmp_path / "suite.yml"
    for longest, code in ((300, 0), (5, 1)):
        test = f"{{name: JSONRPC-023, expect: {{longest: {longest}}}}}"
        suite.write_text(f"compliance: {{capture: s.jsonl, tests: [{test}]}}", encoding="utf-8")
        assert main(["compliance", "run", "--from-suite", str(suite)]) == code
    assert "JSONRPC-023" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_refused(capsys):
    assert main(["compliance", "run", "missing.jsonl"]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_the_rules_of_a_revision_are_listed(capsys):
    assert main(["compliance", "rules", "--spec", "v2026-07-28", "--family", "JSONRPC", "--format", "json"]) == 0
    rows = {row["rule"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["JSONRPC-001"]["decided"] == "checked"
    assert rows["JSONRPC-014"]["decided"] == "checked, given the stimulus"
    assert "JSONRPC-025" not in rows
    assert rows["JSONRPC-020"]["page"].startswith("https://modelcontextprotocol.io/specification/2026-07-28/")


def test_the_newest_revision_is_listed_where_none_is_named(capsys):
    assert main(["compliance", "rules", "--family", "PROTO", "--format", "json"]) == 0
    rows = {row["rule"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["PROTO-042"]["decided"] == "needs a probe"
    assert "PROTO-001" not in rows
