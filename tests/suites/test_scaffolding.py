"""Suites written from real recordings: they pass at once, call nothing that changes something, and hold no secret."""

from __future__ import annotations

import sys

import pytest

import mcptest
from tests.helpers.cli import Cli, start
from tests.replay.recorded import PLAIN, Caller, everything
from tests.suites.made import SERVERS, record

SECRET = "hunter2hunter2-secret"


async def talk(peer):
    await everything(peer)
    client = Caller(peer)
    client._id = 1000
    note = await client.call("create_note", text="and ${args.x} a hat")
    await client.call("delete_note", id=note["result"]["structuredContent"]["id"])
    await client.call("look", city="Rome")
    await client.call("fail", reason=f"password={SECRET}")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    return record(tmp_path_factory.mktemp("recorded"), talk, PLAIN)


@pytest.fixture
def cli(recorded, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("MCPTEST_CAPTURE", str(recorded))
    monkeypatch.chdir(tmp_path)
    return Cli(recorded, capsys)


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """The tools that were called, one on each line."""
    path = tmp_path / "calls"
    path.touch()
    monkeypatch.setenv("CALLS", str(path))
    return path


@pytest.fixture(scope="module")
def text(recorded, tmp_path_factory):
    """The suite that is written from the recording."""
    path = tmp_path_factory.mktemp("written") / "suite.yml"
    start("init", "-o", str(path), "--", *PLAIN, capture=recorded)
    return path.read_text(encoding="utf-8")


def entry(text: str, name: str) -> str:
    """The lines of one entry with the comments above it."""
    parts = text.split("\n\n")
    return next(part for part in parts if f"- name: {name}\n" in part)


def test_a_written_suite_passes_at_once(cli, tmp_path):
    made = cli("init", "--from", "last", "--", *PLAIN)
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("mcptest.yml: ")
    done = cli("run")
    assert done.code == 0, done.out
    assert "FAIL" not in done.out
    assert cli("validate").out == "mcptest.yml: 16 tests on 1 server, no mistakes\n"


def test_only_what_reads_is_called_for_it(cli, tmp_path, calls):
    cli("init", "--", *PLAIN)
    made = calls.read_text(encoding="utf-8").split()
    assert {"look", "cities"} <= set(made)
    assert not {"create_note", "delete_note"} & set(made)


def test_tools_that_change_something_are_marked(text):
    assert "serial: true" in entry(text, "create_note text=buy an umbrella")
    deleting = entry(text, "delete_note").splitlines()
    assert deleting[0].strip().startswith("# review before first run")
    assert "    serial: true" in deleting
    assert "serial" not in entry(text, "cities")


def test_what_stays_is_expected_and_what_depends_on_the_session_is_skipped(text):
    assert "matcher: {exact: {city: Berlin, celsius: 10.5, sky: clear}}" in entry(text, "look city=Berlin")
    assert "          schema:" in entry(text, "look city=Berlin")
    assert "skip: 'it was answered with a result and later with an error" in entry(text, "read_note")
    assert "skip: the server asks its client for something" in entry(text, "ask")


def test_a_secret_that_was_removed_is_told_and_skipped(text):
    assert SECRET not in text
    part = entry(
        text,
        next(
            line.partition("name: ")[2]
            for line in text.splitlines()
            if "password=redacted-" in line and "name:" in line
        ),
    )
    assert "# the recording has a placeholder where a secret stood" in part
    assert "skip: a secret was removed from its arguments when they were recorded" in part


def test_a_secret_of_the_command_line_is_not_written_down(cli, tmp_path):
    made = cli("init", "--", *PLAIN[:1], "-X", "dev", *PLAIN[1:], "--token", "sk-5f2c9a8b7d6e4f3a2b1c")
    text = (tmp_path / "mcptest.yml").read_text(encoding="utf-8") if (tmp_path / "mcptest.yml").exists() else ""
    assert "sk-5f2c9a8b7d6e4f3a2b1c" not in text + made.out + made.err


def test_a_suite_is_not_overwritten_unless_asked(cli, tmp_path, calls):
    (tmp_path / "mcptest.yml").write_text("mine", encoding="utf-8")
    refused = cli("init", "--", *PLAIN)
    assert refused.code == 2
    assert "mcptest.yml exists and is left as it is" in refused.complaint
    assert calls.read_text(encoding="utf-8") == ""
    assert cli("init", "--force", "--", *PLAIN).code == 0
    assert (tmp_path / "mcptest.yml").read_text(encoding="utf-8") != "mine"


def test_a_suite_elsewhere_runs_its_server_where_it_was_started(cli, tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "here.py").write_bytes((SERVERS / "plain.py").read_bytes())
    assert cli("init", "-o", "below/suite.yml", "--", sys.executable, "here.py").code == 0
    assert "  cwd: .." in (tmp_path / "below" / "suite.yml").read_text(encoding="utf-8")
    assert cli("run", "below/suite.yml", "--filter", "tools/cities").code == 0


def test_a_server_that_is_not_there_writes_nothing(cli, tmp_path):
    assert cli("init", "--", "/no/such/program").code == 3
    assert not (tmp_path / "mcptest.yml").exists()


def test_a_strict_server_gets_a_negative_path_that_passes(tmp_path, capsys, monkeypatch):
    manifest = tmp_path / "records.yml"
    manifest.write_text(
        "mock_server: {name: r, tools: [{name: search, annotations: {readOnlyHint: true}, response: found, input_schema: "
        "{type: object, properties: {q: {type: string}}, required: [q], additionalProperties: false}}]}",
        encoding="utf-8",
    )
    server = [sys.executable, "-m", "mcptest", "mock", "--tools-from", str(manifest)]

    async def search(peer):
        client = Caller(peer)
        await client.initialize()
        await client.ask("tools/list")
        await client.call("search", q="x")

    capture = record(tmp_path, search, server)
    monkeypatch.setenv("MCPTEST_CAPTURE", str(capture))
    monkeypatch.chdir(tmp_path)
    cli = Cli(capture, capsys)
    assert cli("init", "--", *server).code == 0
    text = (tmp_path / "mcptest.yml").read_text(encoding="utf-8")
    assert "checks: [unknown_tool, missing_required, wrong_type, extra_field, oversized]" in text
    done = cli("run")
    assert done.code == 0, done.out


def test_the_last_session_is_a_clients_and_not_that_of_a_run(cli, tmp_path):
    assert cli("init", "-o", "one.yml", "--", *PLAIN).code == 0
    assert cli("run", "one.yml", "--filter", "tools/cities").code == 0
    assert cli("init", "-o", "two.yml", "--", *PLAIN).code == 0
    one, two = ((tmp_path / name).read_text(encoding="utf-8").splitlines()[0] for name in ("one.yml", "two.yml"))
    assert one == two


def test_a_server_over_http_is_written_without_its_credentials(cli, tmp_path, monkeypatch):
    manifest = tmp_path / "plain.yml"
    manifest.write_text("mock_server: {name: r, tools: [{name: cities, response: none}]}", encoding="utf-8")
    monkeypatch.setenv("TOKEN_OF_TEST", "token-5f2c9a8b7d6e")
    with mcptest.mock(tools_from=manifest) as server:
        made = cli(
            "init", "--url", server.url, "--bearer-env", "TOKEN_OF_TEST", "-H", "X-Key: key-1234", "--call-delay", "0"
        )
        assert made.code == 0
        assert "set HEADER_X_KEY to the headers' values" in made.err
        text = (tmp_path / "mcptest.yml").read_text(encoding="utf-8")
        assert "token-5f2c9a8b7d6e" not in text
        assert "key-1234" not in text
        assert "  bearer_token_env: TOKEN_OF_TEST\n" in text
        assert "    X-Key: ${HEADER_X_KEY}\n" in text
        assert "${HEADER_X_KEY}: the suite has no such variable" in cli("run").complaint
        monkeypatch.setenv("HEADER_X_KEY", "key-1234")
        assert cli("run", "--call-delay", "0", "--filter", "tool_quality/*").code == 0


def test_a_recording_without_a_call_is_told(tmp_path, capsys, monkeypatch):
    async def nothing(peer):
        await Caller(peer).initialize()

    capture = record(tmp_path, nothing, PLAIN)
    monkeypatch.setenv("MCPTEST_CAPTURE", str(capture))
    monkeypatch.chdir(tmp_path)
    done = Cli(capture, capsys)("init", "--", *PLAIN)
    assert done.code == 2
    assert "holds no call of a tool" in done.complaint
