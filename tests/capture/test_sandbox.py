from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import Capture, Place, sandbox
from mcptest.capture.sandbox import Column, Limits
from mcptest.errors import CaptureError, UsageError
from tests.helpers.journals import START, sample


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A capture of two sessions, folded."""
    place = Place(tmp_path_factory.mktemp("sandbox") / "capture.duckdb")
    sample().write(place)
    sample("abcdef012345", at=START + 10**12, name="later").write(place)
    with Capture.open(place):
        pass
    return place


@pytest.fixture(autouse=True)
def _capture_is_untouched(place: Place) -> Iterator[None]:
    def state() -> dict[str, str]:
        files = [path for path in place.database.parent.rglob("*") if path.is_file()]
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    before = state()
    yield
    assert state() == before


def ask(place: Place, sql: str, **more: object) -> tuple[list[Column], list[list[str | None]]]:
    with sandbox.query(place, sql, **more) as rows:  # type: ignore[arg-type]
        return rows.columns, list(rows)


def refusal(place: Place, sql: str, **more: object) -> str:
    with pytest.raises(UsageError) as caught:
        ask(place, sql, **more)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_rows_come_as_text_with_the_kinds_of_their_columns(place: Place) -> None:
    columns, rows = ask(
        place, "SELECT tool, count(*) AS n, arguments FROM tool_calls GROUP BY ALL ORDER BY ALL LIMIT 1"
    )
    assert columns == [Column("tool", "text"), Column("n", "number"), Column("arguments", "json")]
    assert rows == [["add", "2", '{"a":1,"b":2}']]


def test_one_session_can_be_looked_at_alone(place: Place) -> None:
    sql = "SELECT (SELECT count(*) FROM sessions), (SELECT count(DISTINCT session) FROM messages)"
    assert ask(place, sql)[1] == [["2", "2"]]
    assert ask(place, sql, session="last:2")[1] == [["1", "1"]]
    assert ask(place, "SELECT id FROM sessions", session="later")[1] == [["abcdef012345"]]


def test_an_unknown_session_is_told(place: Place) -> None:
    assert "'nobody'" in refusal(place, "SELECT 1", session="nobody")


def test_a_large_result_streams(place: Place) -> None:
    with sandbox.query(place, "SELECT range AS n, repeat('x', 1000) AS t FROM range(100_000_000)") as rows:
        first = next(iter(rows))
    assert first[0] == "0"


def test_time_spent_waiting_for_the_reader_does_not_count(place: Place) -> None:
    with sandbox.query(place, "SELECT repeat('x', 1000) FROM range(20_000)", limits=Limits(seconds=1.0)) as rows:
        reader = iter(rows)
        next(reader)
        threading.Event().wait(1.5)
        assert sum(1 for _ in reader) == 19_999


def test_a_query_that_is_given_up_leaves_no_process(place: Place) -> None:
    def children() -> set[str]:
        return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split())

    before = children()
    with sandbox.query(place, "SELECT range FROM range(1_000_000_000_000)") as rows:
        next(iter(rows))
        assert children() != before
    assert children() == before


# ---- what is refused, in one clear line


@pytest.mark.parametrize(
    ("sql", "hint"),
    [
        ("SELECT at FROM messages", 'write "at" in double quotes'),
        ("SELECT * FROM mesages", "mcptest sql --schema"),
        ("DELETE FROM messages", "a capture is only read"),
        ("SELECT * FROM read_csv('/etc/passwd')", "reaches nothing but the capture"),
    ],
)
def test_bad_sql_is_one_clear_line(place: Place, sql: str, hint: str) -> None:
    assert hint in refusal(place, sql)


def test_a_query_that_takes_too_long_is_ended(place: Place) -> None:
    message = refusal(
        place,
        "SELECT count(*) FROM range(1_000_000) a, range(1_000_000) b WHERE a.range + b.range < 0",
        limits=Limits(0.5),
    )
    assert message == "the query took longer than 0.5 s: narrow it, or allow more with --timeout"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT repeat('x', 3_000_000_000)",
        "SELECT length(string_agg(range::VARCHAR || repeat('z', 1000), '')) FROM range(10_000_000)",
    ],
)
def test_a_query_that_takes_too_much_memory_is_ended(place: Place, sql: str) -> None:
    message = refusal(place, sql, limits=Limits(30.0, 200 << 20))
    assert "--memory" in message
    assert "200 MiB" in message


def test_a_query_that_duckdb_itself_does_not_stop_is_ended_all_the_same(place: Place) -> None:
    """DuckDB's limits did not hold for this one; the kernel's do."""
    sql = (
        "WITH RECURSIVE t AS (SELECT 1 AS i, repeat('x', 1000000) AS s UNION ALL SELECT i + 1, s || s FROM t)"
        " SELECT max(i) FROM t"
    )
    assert "--memory" in (message := refusal(place, sql, limits=Limits(2.0, 500 << 20))) or "--timeout" in message


def test_a_query_that_is_no_utf8_is_refused(place: Place) -> None:
    assert "UTF-8" in refusal(place, "SELECT '\udcff'")


def test_a_capture_that_is_not_there_is_told(tmp_path: Path, place: Place) -> None:
    with pytest.raises((CaptureError, UsageError), match="nothing recorded"):
        ask(Place(tmp_path / "none.duckdb"), "SELECT 1")
    assert os.listdir(tmp_path) == []


# ---- parquet


def test_parquet_keeps_the_types(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "it's.parquet"
    path.touch()
    sandbox.write_parquet(
        place, "SELECT 1::UTINYINT AS u, [1] AS l, '\\xFF'::BLOB AS b, now() AS z FROM range(3);", path
    )
    assert os.listdir(tmp_path) == [path.name]
    with duckdb.connect() as connection:
        described = connection.execute(
            "SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet(?))", [str(path)]
        )
        assert described.fetchall() == [
            ("u", "UTINYINT"),
            ("l", "INTEGER[]"),
            ("b", "BLOB"),
            ("z", "TIMESTAMP WITH TIME ZONE"),
        ]


def test_a_parquet_query_is_bound_like_any_other(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    path.touch()
    for sql in ("SELECT * FROM read_csv('/etc/passwd')", "COPY (SELECT 1) TO 'x'", "SELECT at FROM messages"):
        with pytest.raises(UsageError):
            sandbox.write_parquet(place, sql, path)


# ---- what holds if the statement gets through

_ESCAPES = [
    "COPY (SELECT 1) TO '{capture}' (USE_TMP_FILE false)",
    "COPY (SELECT 1) TO '{capture}.wal' (USE_TMP_FILE false)",
    "COPY (SELECT 1) TO '{capture}.wal'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{capture}' (USE_TMP_FILE false)",
    "COPY (FROM range(1000000)) TO '{capture}.wal' (FORMAT parquet, USE_TMP_FILE false)",
    "ATTACH '{capture}' AS again (READ_WRITE)",
    "COPY (SELECT 1) TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '/dev/stdout'",
    "EXPORT DATABASE '{folder}/out'",
    "IMPORT DATABASE '{folder}'",
    "ATTACH '{folder}/other.duckdb'",
    "CONNECT '{folder}/other.duckdb'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv_auto('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM read_json('/proc/self/environ')",
    "SELECT * FROM read_ndjson_objects('/proc/self/environ')",
    "SELECT * FROM read_parquet('{folder}/x.parquet')",
    "SELECT * FROM parquet_metadata('{folder}/x.parquet')",
    "SELECT * FROM read_duckdb('{folder}/other.duckdb')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_csv('http://127.0.0.1:9/x')",
    "SELECT * FROM secret_of_python",
    "SELECT getenv('HOME')",
    "INSTALL httpfs",
    "FORCE INSTALL httpfs FROM 'http://127.0.0.1:9'",
    "LOAD httpfs",
    "LOAD '{folder}/evil.so'",
    "SET enable_external_access = true",
    "SET GLOBAL enable_external_access = true",
    "RESET enable_external_access",
    "SET lock_configuration = false",
    "RESET lock_configuration",
    "SET threads = 64",
    "SET memory_limit = '100GB'",
    "PRAGMA memory_limit = '100GB'",
    "SET temp_directory = '{folder}/spill'",
    "SET home_directory = '/'",
    "SET extension_directory = '{folder}'",
    "SET allowed_directories = ['/']",
    "SET allowed_paths = ['/etc/passwd']",
    "SET secret_directory = '{folder}'",
    "SET log_query_path = '{folder}/log'",
    "SET python_enable_replacements = true",
    "PRAGMA enable_profiling",
    "PRAGMA profiling_output = '{folder}/profile'",
    "CALL enable_logging(storage := 'file', storage_path := '{folder}/log')",
    "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')",
    "INSERT INTO cap.data.meta VALUES ('x', 1, 'x')",
    "UPDATE cap.data.meta SET format = 2",
    "DELETE FROM cap.data.frames",
    "DROP TABLE cap.data.frames",
    "CREATE TABLE cap.data.more (a INTEGER)",
    "CREATE OR REPLACE MACRO cap.main.count(a) AS 42",
    "DETACH cap; ATTACH '{capture}' AS cap (READ_WRITE)",
]

_CONFINED = """
import json, os, sys
from pathlib import Path
import duckdb
from mcptest.capture import Capture, Place
from mcptest.capture.confined import confine
secret_of_python = {"a": [1]}
request = json.load(sys.stdin)
with Capture.open(Place(Path(request["capture"]))) as capture:
    confine(capture.connection, 1 << 30)
    print(capture.connection.execute("SELECT count(*) FROM sessions").fetchall(), flush=True)
    for sql in request["escapes"]:
        try:
            capture.connection.execute(sql).fetchall()
        except duckdb.Error as error:
            continue
        print(sql, flush=True)
    try:
        os.close(os.open(request["folder"] + "/new", os.O_WRONLY | os.O_CREAT))
        print("the kernel let a file be made", flush=True)
    except OSError:
        pass
os._exit(0)
"""


def _kernel_has_landlock() -> bool:
    probe = "from mcptest.capture.landlock import forbid_writing; print(forbid_writing())"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout == "True\n"


def test_no_escape_succeeds_even_without_the_check_of_statements(place: Place, tmp_path: Path) -> None:
    if not _kernel_has_landlock():
        pytest.skip("this kernel has no Landlock: only the check of statements stands before COPY")
    with duckdb.connect(str(tmp_path / "other.duckdb")) as other:
        other.execute("CREATE TABLE t AS SELECT 1 AS a")
    before = sorted(os.listdir(tmp_path))
    capture = str(place.database)
    escapes = [sql.replace("{capture}", capture).replace("{folder}", str(tmp_path)) for sql in _ESCAPES]
    done = subprocess.run(
        [sys.executable, "-c", _CONFINED],
        input=json.dumps({"capture": capture, "folder": str(tmp_path), "escapes": escapes}),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == ["[(2,)]"]
    assert sorted(os.listdir(tmp_path)) == before
