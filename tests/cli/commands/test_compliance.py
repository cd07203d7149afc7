"""`mcptest compliance diff`, and `compliance run --from-suite`: pins, gates, and the examples that show them."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mcptest.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"
PINNING, UPGRADE = EXAMPLES / "spec-version-pinning.yml", EXAMPLES / "spec-version-upgrade.yml"
RECORDING = EXAMPLES / "spec-version-pinning" / "weather-2026-07-28.jsonl"


@pytest.fixture
def suite(tmp_path):
    def write(text):
        path = tmp_path / "suite.yml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


# ---- diff


def test_a_comparison_tells_changed_and_added_rules_and_their_number(capsys):
    assert main(["compliance", "diff", "v2024-11-05", "v2025-06-18"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "v2024-11-05 → v2025-06-18"
    changed = next(number for number, line in enumerate(lines) if line.startswith("changed   PROTO-002 "))
    assert lines[changed + 1].strip() == 'expect.transport: null → ["stdio", "streamable-http"]'
    assert any(line.startswith("added     ELICIT-001 ") for line in lines)
    assert " unchanged, " in lines[-1]


def test_a_comparison_names_what_stays(capsys):
    assert main(["compliance", "diff", "v2024-11-05", "draft"]) == 0
    _, _, unchanged = capsys.readouterr().out.partition("\nunchanged: ")
    assert "PROTO-008" in unchanged.replace(",", "").split()


def test_a_comparison_for_machines_has_entries_and_a_summary(capsys):
    assert main(["compliance", "diff", "v2024-11-05", "v2025-06-18", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    entries = {entry["rule_id"]: entry for entry in found["entries"]}
    assert list(entries) == sorted(entries)
    assert entries["PROTO-002"]["bucket"] == "changed"
    assert entries["PROTO-002"]["from"]["expect"] == {"transport": None}
    assert entries["PROTO-002"]["to"]["expect"] == {"transport": ["stdio", "streamable-http"]}
    assert entries["ELICIT-001"]["from"] is None
    assert sum(found["summary"].values()) == len(entries)
    assert found["is_clean"] is False


def test_a_comparison_in_markdown_is_a_table(capsys):
    assert main(["compliance", "diff", "v2024-11-05", "v2025-06-18", "--format", "markdown"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("## ❌ v2024-11-05 → v2025-06-18\n")
    assert "| PROTO-002 | changed | `initialize` is answered" in out


def test_a_comparison_fails_only_where_that_is_asked_for(capsys):
    assert main(["compliance", "diff", "v2024-11-05", "v2025-06-18", "--exit-code"]) == 1
    assert main(["compliance", "diff", "v2026-07-28", "draft", "--exit-code"]) == 0


def test_a_comparison_is_written_into_a_file(tmp_path, capsys):
    path = tmp_path / "upgrade.md"
    assert main(["compliance", "diff", "v2026-07-28", "draft", "--format", "markdown", "-o", str(path)]) == 0
    assert path.read_text(encoding="utf-8").startswith("## ✅ v2026-07-28 → draft\n")
    assert capsys.readouterr().out == ""


def test_a_registry_can_be_compared_with_what_is_shipped(tmp_path, capsys):
    own = tmp_path / "v2030-01-01"
    own.mkdir()
    (own / "own.yaml").write_text("extends: draft\nrules: {JSONRPC-001: {level: should}}", encoding="utf-8")
    arguments = ["compliance", "diff", "draft", "v2030-01-01", "--registry", str(tmp_path)]
    assert main([*arguments, "--exit-code"]) == 1
    assert 'level: "must" → "should"' in capsys.readouterr().out


def test_a_revision_that_nobody_knows_is_refused(capsys):
    assert main(["compliance", "diff", "v2024-11-05", "v2025-6-18"]) == 2
    assert "unknown compliance spec_version: v2025-6-18; did you mean v2025-06-18?" in capsys.readouterr().err


# ---- a suite


def test_the_pinning_example_passes_with_its_gate(capsys):
    assert main(["compliance", "run", "--from-suite", str(PINNING)]) == 0
    said = capsys.readouterr().out
    assert "pinned to v2026-07-28, observed v2026-07-28\n" in said
    assert "no findings" in said
    assert said.splitlines()[-1].startswith("PASS spec_version_check: v2026-07-28 → draft: ")


def test_the_upgrade_example_is_sound_and_its_gate_fails_the_run(capsys):
    assert main(["compliance", "run", "--from-suite", str(UPGRADE), "--fail-on", "critical"]) == 1
    said = capsys.readouterr().out
    assert "no findings" in said
    assert said.splitlines()[-1].startswith("FAIL spec_version_check: v2024-11-05 → v2025-06-18: spec_clean is false")


def test_a_gate_is_a_test_case_in_junit(capsys):
    assert main(["compliance", "run", "--from-suite", str(UPGRADE), "--format", "junit"]) == 1
    (case,) = ElementTree.fromstring(capsys.readouterr().out).findall(".//testcase[@classname='gate']")
    assert case.get("name") == "spec_version_check"
    assert case.find("failure") is not None


def test_only_the_tests_of_a_suite_are_judged(suite, capsys):
    text = f"compliance: {{spec_version: v2026-07-28, capture: {RECORDING}, tests: [{{name: JSONRPC-001}}]}}"
    assert main(["compliance", "run", "--from-suite", suite(text), "--format", "json"]) == 0
    assert [verdict["rule"] for verdict in json.loads(capsys.readouterr().out)["verdicts"]] == ["JSONRPC-001"]


def test_a_pin_that_differs_from_what_was_spoken_is_told_in_the_report(suite, capsys):
    text = f"compliance: {{spec_version: v2025-11-25, capture: {RECORDING}, tests: [JSONRPC-001]}}"
    main(["compliance", "run", "--from-suite", suite(text)])
    assert "pinned to v2025-11-25, observed v2026-07-28: they differ" in capsys.readouterr().out


def test_sessions_on_the_command_line_stand_in_place_of_the_suites(suite, capsys):
    path = suite("compliance: {spec_version: v2026-07-28, capture: missing.jsonl, tests: [JSONRPC-001]}")
    assert main(["compliance", "run", "--from-suite", path]) == 2
    assert "missing.jsonl" in capsys.readouterr().err
    assert main(["compliance", "run", str(RECORDING), "--from-suite", path]) == 0


def test_a_suite_that_is_only_a_gate_needs_no_recording(suite, capsys):
    path = suite("compliance: {spec_version: v2024-11-05, spec_version_check: {against: v2025-06-18}}")
    assert main(["compliance", "run", "--from-suite", path]) == 1
    said = capsys.readouterr()
    assert "only its gate is judged" in said.err
    assert said.out.startswith("no findings (0 rules)\nFAIL spec_version_check: ")


@pytest.mark.parametrize(
    ("text", "arguments", "complaint"),
    [
        ("compliance: {spec_version: v2025-6-18}", [], "unknown compliance spec_version: v2025-6-18; did you mean"),
        ("compliance: {spec_version_check: {against: draft}}", [], "needs a `spec_version`"),
        ("compliance: [TOOLS]", [], "names nothing to judge"),
        ("compliance: {spec_version: draft}", [], "names nothing to judge"),
        ("compliance: {server: {comand: ./x}}", [], "did you mean command?"),
        ("compliance: {spec_version: draft, capture: x}", ["--spec", "draft"], "pins draft"),
        ("compliance: {spec_version: draft, capture: x}", ["--select", "TOOLS"], "exclude each other"),
    ],
)
def test_a_suite_that_cannot_be_used_is_refused_in_one_line(suite, capsys, text, arguments, complaint):
    assert main(["compliance", "run", "--from-suite", suite(text), *arguments]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_without_a_session_or_a_suite_there_is_nothing_to_judge(capsys):
    assert main(["compliance", "run"]) == 2
    assert "nothing to judge: name a session" in capsys.readouterr().err


def test_a_suite_that_is_not_there_is_refused(capsys):
    assert main(["compliance", "run", "--from-suite", "/nowhere/suite.yml"]) == 2
    assert "/nowhere/suite.yml" in capsys.readouterr().err
