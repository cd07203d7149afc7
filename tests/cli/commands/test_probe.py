"""`mcptest probe` and `mcptest fuzz` as a user runs them."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mcptest.capture import Capture, locate
from mcptest.cli import main

SERVER = Path(__file__).parents[3] / "fixtures" / "servers" / "defects" / "defective.py"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MCPTEST_CAPTURE", str(tmp_path / "c.duckdb"))

    def call(*words):
        code = main([*words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def server(defect="none"):
    return "--", sys.executable, "-S", str(SERVER), defect


def test_a_sound_server_exits_with_0_and_its_traffic_is_judged(run, tmp_path):
    code, out, _ = run("probe", *server())
    assert code == 0
    assert "5 probes of 1 tools: 5 passed" in out
    assert re.search(r"\d+ rules of the specification were judged from this traffic: \d+ passed", out)
    with Capture.open(locate(tmp_path / "c.duckdb")) as capture:
        assert len(capture.sessions()) == 2  # two at once: the server itself, and its tool


def test_a_finding_can_be_shown_again_by_the_line_that_is_printed(run):
    code, out, _ = run("probe", *server("accepts_wrong_type"))
    assert code == 1
    again = shlex.split(re.search(r"again: mcptest (.*)", out)[1])
    code, out, _ = run(*again)
    assert code == 1
    assert "1 probes of 1 tools: 1 accepted" in out


def test_a_flaw_can_be_shown_again_by_the_line_that_is_printed(run):
    code, out, _ = run("fuzz", "--seed", "7", *server("leaks_path"))
    assert code == 1
    again = shlex.split(re.search(r"again: mcptest (.*)", out)[1])
    assert again[again.index("--arguments") + 1] == '{"query": "\'"}'
    code, out, _ = run(*again)
    assert code == 1
    assert "1 cases over 1 of 1 tools" in out


def test_recorded_calls_give_the_arguments_and_last_passes_over_probes(run):
    record = ["record", "--name", "good", *server()]
    lines = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
         "clientInfo": {"name": "c", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "q", "limit": 3}}},
    ]  # fmt: skip
    recorded(record, lines)
    for _ in range(2):
        code, out, _ = run(
            "probe", "last", "--check", "missing_required", "--format", "json", *server("accepts_missing")
        )
        assert code == 1
        (finding,) = json.loads(out)["findings"]
        assert finding["data"]["arguments"] == {"limit": 3}
        assert finding["data"]["verdict"] == "failed_silent_acceptance"
        assert " last " not in finding["data"]["reproduce"]


def recorded(words, messages):
    import subprocess

    text = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    subprocess.run(
        [sys.executable, "-m", "mcptest", *words], input=text, text=True, check=True, capture_output=True, timeout=60
    )


def test_junit_has_a_case_for_each_probe_of_each_tool(run, tmp_path):
    file = tmp_path / "report.xml"
    assert run("probe", "-o", str(file), *server("accepts_extra"))[0] == 1
    cases = {case.get("name"): case.find("failure") for case in ElementTree.parse(file).iter("testcase")}
    assert [name for name, failure in cases.items() if failure is not None] == ["search: extra_field"]
    assert "server: unknown_tool" in cases


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("probe",), 2, "no target"),
        (("probe", "--check", "wrong_typ", *server()), 2, "did you mean wrong_type?"),
        (("probe", "--tool", "serch", *server()), 2, "did you mean 'search'?"),
        (("probe", "no-such-session", *server()), 2, "nothing recorded yet"),
        (("probe", "--", "/no/such/program"), 3, "cannot start"),
        (("probe", "--max-calls", "0", *server()), 5, ""),
        (("fuzz", "--max-calls", "0", *server()), 5, ""),
        (("fuzz", "--arguments", "{}", *server()), 2, "name it with --tool"),
        (("fuzz", "--arguments", "[", "--tool", "search", *server()), 2, "no JSON"),
    ],
)
def test_wrong_use_and_refusal_have_their_exit_codes(run, words, code, said):
    found, _, err = run(*words)
    assert found == code
    assert said in err
