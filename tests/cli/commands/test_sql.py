from __future__ import annotations

import json
import os
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import Capture, Place, queries
from tests.helpers.cli import Cli, start
from tests.helpers.journals import START, Talk, sample

EXAMPLE = (
    "select tool, count(*) n, quantile_cont(duration_ms, 0.95) p95 from tool_calls group by tool order by p95 desc"
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("sql") / "capture.duckdb")
    sample(name="weather").write(place)
    sample("abcdef012345", at=START + 10**12).write(place)
    Talk("aaaaaaaaaaaa", at=START - 10**12).stderr("\x1b]52;c;ZXZpbA==\x07 \u202e").write(place)
    with Capture.open(place):
        return place


def test_the_question_of_the_readme_is_answered(cli: Cli) -> None:
    done = cli("sql", EXAMPLE)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == ["tool  n   p95", "────  ─  ────", "add   4  40.0", "fail  2   1.0"]
    assert json.loads(cli("sql", EXAMPLE, "--format", "json").out) == [
        {"tool": "add", "n": 4, "p95": 40.0},
        {"tool": "fail", "n": 2, "p95": 1.0},
    ]


def test_the_query_comes_from_a_file_or_standard_input(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "q.sql"
    path.write_text("select 'grün' as colour", encoding="utf-8")
    from_file = start("sql", "-f", str(path), "--format", "csv", capture=place.database)
    from_stdin = start("sql", "--format", "csv", capture=place.database, input="select 'grün' as colour".encode())
    assert from_file == from_stdin == (0, "colour\ngrün\n", "")


def test_a_query_may_begin_with_a_comment(cli: Cli) -> None:
    assert cli("sql", "-- what?\nselect 1 as a", "--format", "csv").out == "a\n1\n"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["selec 1"], "syntax error"),
        (["select at from messages"], '"at" in double quotes'),
        ([""], "empty"),
        (["select 1", "-f", "x"], "not both"),
        (["-f", "/nowhere/x.sql"], "cannot read the query from /nowhere/x.sql: No such file or directory"),
        (["-f", "/"], "Is a directory"),
        (["select 1", "--format", "parquet"], "-o FILE"),
        (["select 1", "--format", "parquet", "-o", "-"], "-o FILE"),
        (["select 1", "--timeout", "0"], "--timeout"),
        (["select 1", "--timeout", "nan"], "--timeout"),
        (["select 1", "--memory", "lots"], "--memory"),
        (["select 1", "--memory", "1K"], "--memory"),
        (["select 1", "--session", "nobody"], "'nobody'"),
        (["select 1", "--schema"], "--schema takes no query"),
        (["select '\x1b[2J'::int"], "\\x1b[2J"),
        (["select sleep_ms(5000) from range(100)", "--timeout", "0.3"], "longer than 0.3 s"),
        (["select repeat('x', 1_000_000_000)", "--memory", "100M"], "more than 100 MiB"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(cli: Cli, arguments: list[str], hint: str) -> None:
    done = cli("sql", *arguments)
    assert (done.code, done.out) == (2, "")
    assert hint in done.complaint


def test_a_query_that_is_no_utf8_is_refused(place: Place) -> None:
    done = start("sql", capture=place.database, input=b"select '\xff'")
    assert (done.code, done.complaint) == (2, "the query is not valid UTF-8")


def test_the_schema_lists_every_table(cli: Cli) -> None:
    rows = json.loads(cli("sql", "--schema", "--format", "json").out)
    tables = {row["table"] for row in rows}
    assert tables >= {"sessions", "frames", "messages", "exchanges", "tool_calls", "tools", "resources", "prompts"}
    assert tables >= {"notifications", "errors", "stderr"}
    assert {"session", "seq", "at", "sender", "kind", "id", "method", "raw", "size"} <= {
        row["column"] for row in rows if row["table"] == "messages"
    }


def test_a_file_is_written_only_where_there_is_none(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    assert cli("sql", "select 1 as a", "--format", "csv", "-o", str(path)) == (0, "", "")
    assert path.read_text(encoding="utf-8") == "a\n1\n"
    refused = cli("sql", "select 2 as a", "--format", "csv", "-o", str(path))
    assert refused.code == 2
    assert "--force" in refused.complaint
    assert cli("sql", "select 2 as a", "--format", "csv", "-o", str(path), "--force").code == 0
    assert path.read_text(encoding="utf-8") == "a\n2\n"


def test_a_query_that_fails_leaves_no_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for form in ("csv", "parquet"):
        failing = "select case when range < 5000 then 1 else error('late') end from range(10000)"
        done = cli("sql", failing, "--format", form, "-o", str(tmp_path / "out" / "x"))
        assert done.code == 2
        assert "late" in done.complaint
    assert os.listdir(tmp_path / "out") == []


def test_parquet_is_written(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    assert cli("sql", "from tool_calls", "--format", "parquet", "-o", str(path)) == (0, "", "")
    with duckdb.connect() as connection:
        [row] = connection.execute("SELECT count(*), min(tool) FROM read_parquet(?)", [str(path)]).fetchall()
    assert row == (6, "add")


def test_captured_text_in_a_table_is_escaped(cli: Cli) -> None:
    for form in ("table", "markdown"):
        out = cli("sql", "select line from stderr", "--session", "aaaa", "--format", form).out
        assert out.replace("\n", "").isprintable()


# ---- canned questions


@pytest.mark.parametrize("name", queries.names())
def test_every_canned_question_has_an_answer(cli: Cli, name: str) -> None:
    assert len(json.loads(cli("query", name, "--format", "json").out)) > 0


def test_the_answers_of_the_canned_questions_are_right(cli: Cli) -> None:
    def ask(name: str) -> list[dict[str, object]]:
        rows: list[dict[str, object]] = json.loads(cli("query", name, "--session", "weather", "--format", "json").out)
        return rows

    [add] = [row for row in ask("latency") if row["tool"] == "add"]
    assert add == {"method": "tools/call", "tool": "add", "calls": 2, "p50_ms": 30.0, "p95_ms": 39.0, "max_ms": 40.0}
    assert {(row["kind"], row["times"]) for row in ask("errors")} == {("malformed", 1), ("protocol", 1)}
    assert [row["duration_ms"] for row in ask("slowest")][:2] == [40.0, 20.0]
    assert [(row["method"], row["status"]) for row in ask("unanswered")] == [("ping", "unanswered")]
    assert {row["messages"] for row in ask("traffic-by-method") if row["method"] == "tools/call"} == {3}


def test_the_questions_are_listed_with_what_they_tell(cli: Cli) -> None:
    listed = json.loads(cli("query", "--list", "--format", "json").out)
    assert [row["name"] for row in listed] == sorted(
        ["errors", "latency", "slowest", "traffic-by-method", "unanswered"]
    )
    assert all(row["description"].endswith(".") for row in listed)


def test_a_question_can_be_taken_as_a_start(cli: Cli) -> None:
    printed = cli("query", "latency", "--print").out
    assert cli("sql", printed).out == cli("query", "latency").out


@pytest.mark.parametrize("name", ["nosuch", "../schema", "__init__", "latency.sql", "\x1b"])
def test_an_unknown_question_names_those_there_are(cli: Cli, name: str) -> None:
    done = cli("query", name)
    assert done.code == 2
    assert "latency" in done.complaint


def test_no_question_at_all_names_those_there_are(cli: Cli) -> None:
    assert "latency" in cli("query").complaint
