"""`mcptest run`, `validate` and `schema` as a user meets them."""

from __future__ import annotations

import json

import pytest

from mcptest.cli import main
from tests.suites.made import PLAIN, STRICT


@pytest.fixture
def suite(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)

    def write(text, name="mcptest.yml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


TESTS = "tools: [{tool: search, args: {query: x}}, {tool: delete_record}, {tool: nobody}]\n"


def test_each_test_says_how_it_came_out_and_how_to_run_it_alone(cli, suite):
    suite(STRICT + TESTS)
    done = cli("run")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("PASS  tools/search  ")
    assert lines[1] == "SKIP  tools/delete_record"
    assert lines[2].strip().startswith("refused: 'delete_record' is destructive")
    assert lines[3].strip() == "run it alone: mcptest run mcptest.yml --filter tools/delete_record"
    assert lines[4].startswith("FAIL  tools/nobody")
    assert lines[5].strip().startswith("mcptest.yml:18:66: error is {")
    assert lines[-1].startswith("3 tests: 1 passed, 1 failed, 1 skipped in ")


def test_a_filter_runs_some_tests_only(cli, suite):
    suite(STRICT + TESTS)
    assert cli("run", "--filter", "sea*").out.splitlines()[-1].startswith("1 test: 1 passed in ")


def test_everything_refused_is_an_exit_code_of_its_own(cli, suite):
    suite(STRICT + TESTS)
    assert cli("run", "--filter", "delete*").code == 5


def test_a_server_that_is_not_there_is_an_exit_code_of_its_own(cli, suite):
    suite("server: {command: /no/such/program}\ntools: [{tool: x}]")
    done = cli("run")
    assert done.code == 3
    assert done.complaint == "server: cannot start '/no/such/program': No such file or directory"


def test_a_report_goes_into_a_file_in_the_format_of_its_name(cli, suite, tmp_path):
    suite(STRICT + TESTS)
    assert cli("run", "-o", "out.xml").code == 1
    assert (tmp_path / "out.xml").read_text(encoding="utf-8").count("<testcase") == 3


def test_fault_coverage_is_told_when_it_is_asked_for(cli, suite):
    suite(STRICT + TESTS)
    assert "fault classes exercised: 1 of 14" in cli("run", "--fault-coverage", "--filter", "search").out
    told = json.loads(cli("run", "--fault-coverage", "--filter", "search", "--format", "json").out)
    assert any(note.startswith("fault classes exercised: ") for note in told["notes"])


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        ("", (), "mcptest.yml:1:1: a suite is a mapping with `server:` and blocks such as `tools:`, not nothing"),
        (STRICT, (), "mcptest.yml has no test in it: add a block such as `tools:`"),
        (STRICT + TESTS, ("--filter", "zzz"), "--filter 'zzz' selects no test of mcptest.yml"),
        (
            STRICT + "tools: [{tol: x}, {tool: y, serial: 3}]",
            (),
            "mcptest.yml:18:10: unknown key 'tol'; did you mean tool?",
        ),
        ("a: &a [1]\nb: [*a]", (), "mcptest.yml:2:5: aliases are not taken: write the value out"),
        (
            PLAIN + "tools: [{tool: '${NOT_SET_ANYWHERE}'}]",
            (),
            "mcptest.yml:2:16: ${NOT_SET_ANYWHERE}: the suite has no",
        ),
    ],
)
def test_a_suite_that_cannot_be_run_is_one_line(cli, suite, text, arguments, said):
    suite(text)
    done = cli("run", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.complaint.startswith(said)


def test_more_mistakes_than_one_are_counted(cli, suite):
    suite(STRICT + "tools: [{tol: x}, {tool: y, serial: 3}]")
    assert cli("run").complaint.endswith("(and 1 more: mcptest validate mcptest.yml)")


def test_no_suite_at_all_is_told(cli, suite):
    assert cli("run").complaint.startswith("there is no mcptest.yml here: name a suite, or write one with mcptest init")


def test_snapshots_are_not_updated_in_a_build(cli, suite, monkeypatch):
    suite(STRICT + TESTS)
    monkeypatch.setenv("CI", "true")
    done = cli("run", "--update-snapshots")
    assert done.code == 2
    assert "--update-snapshots is refused where CI=true" in done.complaint


def test_snapshots_that_were_written_are_named(cli, suite, tmp_path):
    suite(STRICT + "tools: [{tool: search, args: {query: x}, expect: [{target: result, matcher: {snapshot: s.json}}]}]")
    assert cli("run", "--update-snapshots").complaint == "snapshot written: s.json"
    assert cli("run").code == 0


def test_nothing_is_started_before_the_whole_suite_is_checked(cli, suite, tmp_path):
    suite(
        "server: {command: [touch, started]}\ntools: [{tool: x}, {tool: y, expect: [{target: x, matcher: {exact: 1}}]}]"
    )
    assert cli("run").code == 2
    assert not (tmp_path / "started").exists()


def test_validate_names_each_mistake_on_a_line(cli, suite):
    suite(STRICT + "tools: [{tol: x}, {tool: y, serial: 3}]")
    done = cli("validate")
    assert done.code == 2
    assert done.out.splitlines() == [
        "mcptest.yml:18:10: unknown key 'tol'; did you mean tool?",
        "mcptest.yml:18:37: expected true or false, found a number",
    ]


def test_validate_says_so_where_there_is_none(cli, suite):
    suite(STRICT + TESTS, "other.yml")
    done = cli("validate", "other.yml")
    assert (done.code, done.out) == (0, "other.yml: 3 tests on 1 server, no mistakes\n")


def test_the_schema_for_editors_is_printed(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "mcptest suite"
