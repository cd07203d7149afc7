from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from mcptest.capture import formats
from tests.compliance.transcripts import Talk
from tests.helpers.cli import PATIENCE, PROGRAM, Cli, environment, start

GOOD = {
    "name": "find_order",
    "description": "Find an order by its number and return its state.",
    "inputSchema": {
        "type": "object",
        "properties": {"number": {"type": "string", "maxLength": 12, "description": "The order's number."}},
        "required": ["number"],
        "additionalProperties": False,
    },
}
CRASHING = '''"""Crashes."""
from mcptest.rules import Severity, tools
ID, SEVERITY, ON = "OWN-001", Severity.INFO, tools
def check(tool):
    raise RuntimeError("on purpose")
'''


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    write(tmp_path / "good.json", GOOD)
    write(tmp_path / "bad.json", {**GOOD, "name": "delete_order", "description": "Delete"})
    return tmp_path


def write(path: Path, *tools: object) -> None:
    path.write_text(json.dumps({"tools": tools}, indent=2), encoding="utf-8")


def rules(report: str) -> list[str]:
    return [finding["rule"] for finding in json.loads(report)["findings"]]


def test_a_good_catalogue_passes_and_says_what_was_not_tested(cli: Cli) -> None:
    done = cli("analyze", "good.json")
    assert done.code == 0
    assert "untested: SEC-008" in done.out
    assert done.out.splitlines()[-1].startswith("no findings (33 rules: 32 passed, 1 untested)")


def test_findings_fail_from_the_severity_that_was_asked_for(cli: Cli) -> None:
    assert cli("analyze", "bad.json").code == 1
    assert cli("analyze", "bad.json", "--fail-on", "error").code == 0


def test_many_sources_make_one_report(cli: Cli) -> None:
    done = cli("analyze", "good.json", "bad.json", "--format", "json", "--jobs", "2")
    document = json.loads(done.out)
    assert document["sources"] == ["good.json", "bad.json"]
    assert {finding["source"] for finding in document["findings"]} == {"bad.json"}
    assert set(document["scores"]) == {"good.json", "bad.json"}
    assert document["scores"]["good.json"]["find_order"] == 0.95


def test_rules_can_be_selected_and_ignored(cli: Cli) -> None:
    assert rules(cli("analyze", "bad.json", "--format", "json", "--select", "DESC", "--ignore", "DESC-003").out) == [
        "DESC-001",
        "DESC-008",
    ]


def test_the_format_follows_the_file_s_name_and_no_file_is_overwritten(cli: Cli, here: Path) -> None:
    assert cli("analyze", "bad.json", "-o", "out.sarif").code == 1
    assert json.loads((here / "out.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert "--force" in cli("analyze", "bad.json", "-o", "out.sarif").complaint
    assert cli("analyze", "bad.json", "-o", "out.sarif", "--format", "junit", "--force").code == 1
    assert (here / "out.sarif").read_text(encoding="utf-8").startswith("<?xml")


def test_a_crashed_rule_is_told_and_the_run_goes_on(cli: Cli, here: Path) -> None:
    (here / "own").mkdir()
    (here / "own" / "crash.py").write_text(CRASHING, encoding="utf-8")
    (here / "mcptest.toml").write_text('[lint]\nrules = ["own"]\n', encoding="utf-8")
    done = cli("analyze", "bad.json")
    assert done.code == 4
    assert "OWN-001 crashed: RuntimeError: on purpose" in done.out
    assert "DESC-001" in done.out


def test_the_configuration_is_found_from_below(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "pyproject.toml").write_text(
        '[tool.mcptest.lint]\nselect = ["ANN"]\nfail_on = "critical"\n', encoding="utf-8"
    )
    (here / "sub").mkdir()
    monkeypatch.chdir(here / "sub")
    done = cli("analyze", "../bad.json", "--format", "json")
    assert done.code == 0
    assert rules(done.out) == ["ANN-003"]


def test_a_baseline_accepts_and_a_stale_entry_fails(cli: Cli, here: Path) -> None:
    assert cli("analyze", "bad.json", "--baseline", "b.toml", "--update-baseline").code == 0
    text = (here / "b.toml").read_text(encoding="utf-8")
    assert text.count("[[accept]]") == text.count('reason = "not reviewed yet"') == 4
    done = cli("analyze", "bad.json", "--baseline", "b.toml")
    assert done.code == 0
    assert "4 findings accepted by the baseline" in done.out
    assert cli("analyze", "bad.json", "--baseline", "b.toml", "--select", "SCH").code == 0
    write(here / "bad.json", GOOD)
    done = cli("analyze", "bad.json", "--baseline", "b.toml")
    assert done.code == 1
    assert "stale: the baseline accepts DESC-001 on tool delete_order at /description" in done.out


def test_an_update_keeps_reasons_and_drops_what_is_gone(cli: Cli, here: Path) -> None:
    cli("analyze", "bad.json", "--update-baseline")
    path = here / "mcptest.baseline.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace('reason = "not reviewed yet"', 'reason = "it is named so by law"', 1), encoding="utf-8"
    )
    write(here / "bad.json", {**GOOD, "name": "delete_order"})
    cli("analyze", "bad.json", "--update-baseline")
    assert path.read_text(encoding="utf-8").count("[[accept]]") == 1
    assert "it is named so by law" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("value", ["true", "1", "True"])
def test_a_baseline_is_not_updated_in_ci(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("CI", value)
    done = cli("analyze", "bad.json", "--baseline", "b.toml", "--update-baseline")
    assert done.code == 2
    assert "refused where CI is set" in done.complaint
    assert not (here / "b.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["none.json"], "there is no file none.json"),
        (["good.json", "good.json"], "a source is named twice"),
        (["good.json", "--baseline", "none.toml"], "there is no baseline none.toml"),
        (["good.json", "--select", "DESK"], "no rule is called 'DESK'; did you mean DESC?"),
        (["good.json", "bad.json", "none.json"], "there is no file none.json"),
        ([], "missing argument 'SOURCE...'"),
    ],
)
def test_wrong_use_is_one_clear_line(cli: Cli, arguments: list[str], complaint: str) -> None:
    done = cli("analyze", *arguments)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.complaint


def test_a_report_is_rendered_again(cli: Cli, here: Path) -> None:
    cli("analyze", "bad.json", "-o", "results.json")
    first = cli("analyze", "bad.json", "--format", "markdown").out
    again = cli("report", "results.json", "--format", "markdown")
    assert (again.code, again.out) == (0, first)
    assert cli("report", "bad.json").complaint == "bad.json is not a report: write one with --format json"
    (here / "broken.json").write_text("{", encoding="utf-8")
    assert "broken.json is not JSON" in cli("report", "broken.json").complaint


def test_on_a_terminal_there_is_colour_and_a_progress_bar(here: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "analyze", "good.json", "bad.json"],
        cwd=here,
        env=environment(TERM="xterm", COLUMNS="120"),
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            more = os.read(leader, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    assert process.wait(PATIENCE) == 1
    os.close(leader)
    assert b"analysing" in shown
    assert b"\x1b[33mwarning" in shown


def test_without_a_terminal_there_is_neither(here: Path) -> None:
    done = start("analyze", "good.json", "bad.json", cwd=here)
    assert (done.code, done.err) == (1, "")
    assert "\x1b" not in done.out


# ---- recordings are judged by the specification too

EXAMPLE = Path(__file__).parents[3] / "examples" / "migration-doctor" / "session.jsonl"


def broken(path: Path) -> str:
    """A session whose server answers a request twice, and lists nothing."""
    talk = Talk("2025-11-25", {"server": "{}", "client": "{}"})
    for line in ("> ping", "< result", '< {"jsonrpc": "2.0", "id": 1, "result": {}}'):
        talk.add(line, "test")
    talk.finish()
    with path.open("wb") as file:
        formats.get("jsonl").write(talk.frames, file)
    return str(path)


def judged(report: str) -> set[str]:
    return {verdict["rule"].rpartition("-")[0] for verdict in json.loads(report)["verdicts"]}


def test_a_recording_is_judged_by_every_judge(cli: Cli) -> None:
    done = cli("analyze", str(EXAMPLE), "--format", "json")
    assert {"SCH", "DESC", "SEC", "JSONRPC", "PROTO", "TOOLS"} <= judged(done.out)
    assert f"{EXAMPLE}: observed v2025-11-25" in json.loads(done.out)["notes"]


def test_a_file_with_a_catalogue_has_nothing_to_judge_by_the_specification(cli: Cli) -> None:
    assert judged(cli("analyze", "good.json", "--format", "json").out) == {"ANN", "CAT", "DESC", "SCH", "SEC"}


def test_recordings_and_catalogues_make_one_report_in_parallel(cli: Cli, here: Path) -> None:
    sources = ["bad.json", broken(here / "broken.jsonl"), str(EXAMPLE)]
    documents = [json.loads(cli("analyze", *sources, "--format", "json", "--jobs", str(jobs)).out) for jobs in (1, 2)]
    assert documents[0] == documents[1]
    assert documents[0]["sources"] == sources
    assert {("DESC-001", "bad.json"), ("JSONRPC-006", sources[1])} <= {
        (finding["rule"], finding["source"]) for finding in documents[0]["findings"]
    }


def test_a_session_that_lists_nothing_is_judged_all_the_same(cli: Cli, here: Path) -> None:
    path = broken(here / "broken.jsonl")
    assert cli("analyze", path).code == 1
    assert "lists no tools" in cli("analyze", path, "--select", "SCH").complaint


def test_rules_of_either_judge_are_selected_and_ignored(cli: Cli, here: Path) -> None:
    path = broken(here / "broken.jsonl")
    assert rules(cli("analyze", path, "--format", "json", "--select", "JSONRPC-006").out) == ["JSONRPC-006"]
    assert cli("analyze", path, "--ignore", "JSONRPC").code == 0
    assert judged(cli("analyze", str(EXAMPLE), "--select", "SCH", "--format", "json").out) == {"SCH"}
    assert judged(cli("analyze", str(EXAMPLE), "--select", "SCH", "--select", "TOOLS", "--format", "json").out) == {
        "SCH",
        "TOOLS",
    }
    assert judged(cli("analyze", str(EXAMPLE), "--select", "ALL", "--ignore", "TOOLS", "--format", "json").out) >= {
        "SCH",
        "SCHEMA",
    }


def test_names_that_mean_no_rule_of_any_judge_are_refused(cli: Cli) -> None:
    assert "did you mean TOOLS?" in cli("analyze", str(EXAMPLE), "--select", "TOLS").complaint
    assert "is no recording" in cli("analyze", "good.json", "--select", "TOOLS").complaint
    assert "nothing would be judged" in cli("analyze", str(EXAMPLE), "--ignore", "ALL").complaint


def test_a_broken_rule_of_the_specification_can_be_accepted(cli: Cli, here: Path) -> None:
    path = broken(here / "broken.jsonl")
    assert cli("analyze", path, "--update-baseline").code == 0
    assert "JSONRPC-006" in (here / "mcptest.baseline.toml").read_text(encoding="utf-8")
    assert cli("analyze", path, "--baseline", "mcptest.baseline.toml").code == 0
    assert cli("analyze", "good.json", "--baseline", "mcptest.baseline.toml").code == 0, "nobody judged it: not stale"
    sound = str(EXAMPLE)
    done = cli("analyze", sound, "--baseline", "mcptest.baseline.toml", "--select", "JSONRPC")
    assert done.code == 1
    assert "stale" in done.out


def test_what_is_ignored_for_another_judge_does_not_trouble_the_schema_lint(cli: Cli, here: Path) -> None:
    (here / "mcptest.toml").write_text('[lint]\nignore = ["TOOLS", "SCH-004"]\n', encoding="utf-8")
    assert cli("schema-lint", "good.json").code == 0
