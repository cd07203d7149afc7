from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from mcptest.capture import Capture, Place, statements
from mcptest.capture.confined import lock_down
from mcptest.errors import UsageError
from tests.helpers.journals import sample

Rows = list[list[str | None]]


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    place = Place(tmp_path_factory.mktemp("statements") / "capture.duckdb")
    sample().write(place)
    with Capture.open(place) as capture:
        lock_down(capture.connection, 1 << 30)
        yield capture.connection


def ask(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[list[tuple[str, str]], Rows]:
    with statements.explained(sql, 1 << 30):
        columns, rows = statements.execute(connection, sql)
        return columns, [list(row) for row in rows]


def refusal(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    with pytest.raises(UsageError) as caught:
        ask(connection, sql)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_rows_come_as_text_with_the_kinds_of_their_columns(connection: duckdb.DuckDBPyConnection) -> None:
    columns, rows = ask(
        connection,
        "SELECT 1 AS i, 1.50::DECIMAL(5,2) AS d, true AS b, 'x' AS t, [1, 2] AS l, {'a': 1} AS s, NULL AS n,"
        " '{\"a\": 1}'::JSON AS j, 'nan'::DOUBLE AS f, 2::HUGEINT ** 100 AS h, '\\xFF'::BLOB AS o,"
        " TIMESTAMPTZ '2025-01-02 03:04:05.678901+02' AS z, TIMESTAMP_NS '2025-01-02 03:04:05.123456789' AS ns, 1 AS i",
    )
    assert columns == [
        ("i", "number"),
        ("d", "number"),
        ("b", "boolean"),
        ("t", "text"),
        ("l", "json"),
        ("s", "json"),
        ("n", "text"),
        ("j", "json"),
        ("f", "number"),
        ("h", "number"),
        ("o", "text"),
        ("z", "text"),
        ("ns", "text"),
        ("i", "number"),
    ]
    [row] = rows
    assert row[:4] == ["1", "1.50", "true", "x"]
    assert row[4:9] == ["[1,2]", '{"a":1}', None, '{"a": 1}', "nan"]
    assert row[10:] == ["\\xFF", "2025-01-02T01:04:05.678901Z", "2025-01-02 03:04:05.123456789", "1"]


def test_several_statements_give_the_last_ones_rows(connection: duckdb.DuckDBPyConnection) -> None:
    sql = """
        -- first; a comment
        CREATE TEMP TABLE t AS SELECT ';' AS semicolon;
        CREATE OR REPLACE TEMP MACRO double(x) AS x * 2;
        SET VARIABLE v = 21;
        SELECT 'not shown';
        SELECT semicolon, double(getvariable('v')) AS n FROM t; -- last; a comment
    """
    assert ask(connection, sql)[1] == [[";", "42"]]


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("FROM range(3)", [["0"], ["1"], ["2"]]),
        ("VALUES (1, 'ä')", [["1", "ä"]]),
        ("WITH a AS (SELECT 1 AS x) SELECT x FROM a", [["1"]]),
        ("(SELECT 1)", [["1"]]),
        ("SELECT range AS r FROM range(3) ORDER BY r DESC;;", [["2"], ["1"], ["0"]]),
        ("PIVOT (SELECT 'k' AS k, 1 AS v) ON k USING sum(v)", [["1"]]),
        ("SELECT column_name FROM (DESCRIBE gaps) LIMIT 1", [["session"]]),
    ],
)
def test_every_form_of_query_is_answered(
    connection: duckdb.DuckDBPyConnection, sql: str, rows: list[list[str]]
) -> None:
    assert ask(connection, sql)[1] == rows


def test_a_plan_is_explained_line_by_line(connection: duckdb.DuckDBPyConnection) -> None:
    columns, rows = ask(connection, "EXPLAIN ANALYZE SELECT count(*) FROM messages")
    assert columns == [("plan", "text")]
    assert len(rows) > 2
    assert not any("\n" in str(cell) for [cell] in rows)


@pytest.mark.parametrize(
    ("sql", "hint"),
    [
        ("", "empty"),
        ("  -- nothing", "empty"),
        ("SELEC 1", "syntax error"),
        ("SELECT\n1 +\n+ + FROM", "(line 3)"),
        ("SELECT * FROM mesages", "mcptest sql --schema"),
        ("SELECT nosuch FROM messages", "mcptest sql --schema"),
        ("SELECT at, method FROM messages", 'write "at" in double quotes'),
        ("SELECT * FROM messages ORDER BY at", 'write "at" in double quotes'),
        ("SELECT 'x'::INTEGER", "Could not convert string"),
        ("INSERT INTO messages SELECT * FROM messages", "INSERT is refused: a capture is only read"),
        ("WITH a AS (SELECT 1) DELETE FROM messages", "DELETE is refused"),
        ("CREATE TABLE t AS SELECT 1", "CREATE TEMP"),
        ("DROP VIEW messages", "DROP is refused"),
        ("COPY messages TO 'x.csv'", "-o FILE"),
        ("ATTACH 'x.duckdb'", "reaches nothing but the capture"),
        ("INSTALL httpfs", "reaches nothing but the capture"),
        ("SET threads = 1", "fixed settings"),
        ("PRAGMA version", "fixed settings"),
        ("EXPLAIN ANALYZE COPY (SELECT 1) TO 'x.csv'", "only a SELECT can be explained"),
        ("EXPLAIN /* ( */ ANALYZE /* ) */ COPY (SELECT 1) TO 'x.csv'", ""),
        ("EXPLAIN -- (\nANALYZE COPY (SELECT 1) TO 'x.csv'", ""),
        ("EXPLAIN (FORMAT json) CREATE TEMP TABLE t AS SELECT 1", "only a SELECT can be explained"),
        ("PREPARE p AS SELECT 1", "PREPARE is refused"),
        ("BEGIN; SELECT 1", "TRANSACTION is refused"),
        ("CREATE TEMP TABLE t (i INTEGER)", "gives no rows"),
        ("SELECT * FROM read_csv('/etc/passwd')", "reaches nothing but the capture"),
        ("SELECT getenv('HOME')", "getenv"),
        ("SELECT $1", "parameter"),
    ],
)
def test_bad_sql_is_one_clear_line(connection: duckdb.DuckDBPyConnection, sql: str, hint: str) -> None:
    assert hint.lower() in refusal(connection, sql).lower()
