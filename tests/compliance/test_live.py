"""`mcptest compliance run` over a live server, and what a suite says of one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mcptest.cli import main
from tests.transport.test_http import sdk  # noqa: F401 -- a fixture

ODD = Path(__file__).parents[1] / "live" / "odd.py"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def capture(tmp_path, monkeypatch):
    monkeypatch.setenv("MCPTEST_CAPTURE", str(tmp_path / "capture.duckdb"))


def odd(habit):
    return [sys.executable, str(ODD), habit]


def run(*arguments, server=()):
    return main(["compliance", "run", *arguments, *(["--", *server] if server else [])])


def test_a_live_server_is_exercised_recorded_and_judged(capsys):
    assert run(server=odd("sound")) == 0
    said = capsys.readouterr().out
    assert "exercised over 2025-11-25: ping, tools/list 2, " in said
    assert "grade of the server: A+" in said
    assert main(["show", "last"]) == 0
    assert "mcptest/no-such-method" in capsys.readouterr().out
    assert run("last") == 0


def test_a_revision_that_is_named_is_spoken_and_judged_by(capsys):
    assert run("--spec", "v2025-03-26", server=odd("sound")) == 0
    assert "pinned to v2025-03-26, observed v2025-03-26\n" in capsys.readouterr().out


def test_what_is_named_wrongly_is_refused_before_anything_is_started(tmp_path, capsys):
    assert run("--spec", "v2025-3-26", server=[*odd("sound"), str(tmp_path / "asked")]) == 2
    assert "did you mean v2025-03-26" in capsys.readouterr().err
    assert not (tmp_path / "asked").exists()


def test_a_server_that_dies_exits_with_3_and_says_what_was_judged(capsys):
    assert run(server=odd("dies-of-the-unknown")) == 3
    said = capsys.readouterr()
    assert "grade of the server:" in said.out
    assert "only what was seen until then is judged: the server ended with exit code 7" in said.err


def test_a_server_that_was_never_spoken_to_has_no_grade(tmp_path, capsys):
    assert run("--save-scorecard", str(tmp_path / "card.json"), server=["false"]) == 3
    said = capsys.readouterr()
    assert "no conversation came about" in said.out
    assert "grade" not in said.out
    assert not (tmp_path / "card.json").exists()


def test_a_server_that_cannot_be_started_exits_with_3_in_one_line(capsys):
    assert run(server=["/nowhere/at/all"]) == 3
    said = capsys.readouterr()
    assert said.err == "mcptest: cannot start '/nowhere/at/all': No such file or directory\n"
    assert said.out == ""


@pytest.mark.parametrize(
    ("arguments", "server", "complaint"),
    [
        ([], [], "name a session"),
        (["last"], ["false"], "name sessions or a server, not both"),
        (["--url", "http://127.0.0.1:1/mcp"], ["false"], "not both"),
        (["--header", "A: b"], ["false"], "--header and --bearer-env are for --url"),
        (["--bearer-env", "NO_SUCH_TOKEN", "--url", "http://127.0.0.1:1/mcp"], [], "no such environment variable"),
    ],
)
def test_what_cannot_be_meant_is_refused(capsys, arguments, server, complaint):
    assert run(*arguments, server=server) == 2
    assert complaint in capsys.readouterr().err


def test_dashes_without_a_command_are_told(capsys):
    assert main(["compliance", "run", "--"]) == 2
    assert "give the server's command behind --" in capsys.readouterr().err


def test_a_server_behind_a_url_is_judged_with_its_headers_hidden(sdk, monkeypatch, tmp_path, capsys):  # noqa: F811
    monkeypatch.setenv("WEATHER_TOKEN", "sunny-3f9a77c1e2")
    assert run("--url", sdk, "--bearer-env", "WEATHER_TOKEN", "--header", "X-Team: weather") == 0
    assert "exercised over 2026-07-28" in capsys.readouterr().out
    recorded = b"".join(path.read_bytes() for path in tmp_path.rglob("*.mcpj"))
    assert b"X-Team" in recorded
    assert b"sunny-3f9a77c1e2" not in recorded


def test_nobody_behind_a_url_exits_with_3(capsys):
    assert run("--url", "http://127.0.0.1:9/mcp") == 3
    assert capsys.readouterr().out == ""


# ---- suites


def suite(tmp_path, text):
    path = tmp_path / "suite.yml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_suite_names_a_server_beside_the_block_or_in_it(tmp_path, capsys):
    command = json.dumps(odd("sound"))
    for text in (
        f"server: {{command: {command}}}\ncompliance: {{spec_version: v2025-06-18, tests: [TOOLS]}}",
        f"compliance: {{server: {{command: {command}}}, spec_version: v2025-06-18, tests: [TOOLS]}}",
    ):
        assert run("--from-suite", suite(tmp_path, text)) == 0
        said = capsys.readouterr().out
        assert "exercised over 2025-06-18" in said
        assert "pinned to v2025-06-18, observed v2025-06-18\n" in said


def test_a_command_of_a_suite_runs_beside_it_wherever_one_is(tmp_path, capsys):
    (tmp_path / "server.py").write_bytes(ODD.read_bytes())
    text = f"server: {{command: [{json.dumps(sys.executable)}, server.py, sound]}}\ncompliance: [JSONRPC]"
    assert run("--from-suite", suite(tmp_path, text)) == 0


def test_a_server_on_the_command_line_goes_before_the_suites_own(tmp_path, capsys):
    text = "server: {command: /nowhere/at/all}\ncompliance: [JSONRPC]"
    assert run("--from-suite", suite(tmp_path, text), server=odd("sound")) == 0


# ---- the grade against an earlier one


def test_the_first_run_has_nothing_to_compare_with_and_passes(tmp_path, capsys):
    path = suite(tmp_path, graded(EXAMPLES / "migration-doctor" / "session.jsonl"))
    assert run("--from-suite", path, "--save-scorecard", str(tmp_path / "card.json")) == 0
    assert "PASS grade_delta: nothing to compare with" in capsys.readouterr().out
    assert run("--from-suite", path) == 0
    assert "PASS grade_delta: A+ (100) → A+ (100)" in capsys.readouterr().out


def graded(session, expect=None):
    more = "" if expect is None else f", expect: {expect}"
    return f"compliance: {{capture: {session}, tests: [JSONRPC, TOOLS], grade_delta: {{against: card.json{more}}}}}"


def scorecard(tmp_path, **changes):
    session = str(EXAMPLES / "migration-doctor" / "session.jsonl")
    card = tmp_path / "card.json"
    assert run(session, "--select", "JSONRPC", "--select", "TOOLS", "--save-scorecard", str(card)) == 0
    document = {**json.loads(card.read_text(encoding="utf-8")), **changes}
    card.write_text(json.dumps(document), encoding="utf-8")
    return session


def test_a_better_grade_passes(tmp_path, capsys):
    session = scorecard(tmp_path, grade="B", score=85.0)
    assert run("--from-suite", suite(tmp_path, graded(session))) == 0
    assert "PASS grade_delta: B (85) → A+ (100)" in capsys.readouterr().out


def test_a_worse_section_shuts_the_gate_and_is_named(tmp_path, capsys):
    sections = {"TOOLS": {"score": 200.0, "exercised": 1, "rules": 1, "failed": []}}
    session = scorecard(tmp_path, sections=sections)
    assert run("--from-suite", suite(tmp_path, graded(session))) == 1
    assert "FAIL grade_delta: A+ (100) → A+ (100): regressed_sections is [TOOLS]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "matcher", "code"),
    [
        ("grade", "{exact: A+}", 0),
        ("grade", "{schema: {enum: [B]}}", 1),
        ("score", "{schema: {minimum: 95}}", 0),
        ("score", "{schema: {maximum: 50}}", 1),
        ("grade_regressed", "{exact: false}", 0),
        ("regressed_sections", "{schema: {minItems: 1}}", 1),
    ],
)
def test_each_target_can_be_expected(tmp_path, capsys, target, matcher, code):
    session = scorecard(tmp_path)
    text = graded(session, f"[{{target: {target}, matcher: {matcher}}}]")
    assert run("--from-suite", suite(tmp_path, text)) == code


def test_a_scorecard_that_is_none_is_refused(tmp_path, capsys):
    (tmp_path / "card.json").write_text("[]", encoding="utf-8")
    session = EXAMPLES / "migration-doctor" / "session.jsonl"
    assert run("--from-suite", suite(tmp_path, graded(session))) == 2
    assert "is not a scorecard" in capsys.readouterr().err


def test_the_example_that_starts_a_server_holds(capsys):
    assert run("--from-suite", str(EXAMPLES / "compliance-live.yml")) == 0
    said = capsys.readouterr().out
    assert "exercised over 2025-11-25" in said
    assert "PASS grade_delta: nothing to compare with" in said
