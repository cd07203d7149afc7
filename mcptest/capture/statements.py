"""A user's SQL: which statements are let through, their rows as text, and DuckDB's errors on one line."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mcptest.capture.sandbox import BOOLEAN, JSON, NUMBER, TEXT, say_size
from mcptest.errors import UsageError

if TYPE_CHECKING:
    import duckdb

Rows = Iterator[Sequence[str | None]]

_BATCH = 500  # rows fetched at once
_TEMPORARY = re.compile(r"create\s+(or\s+replace\s+)?temp(orary)?\s", re.IGNORECASE)
_VARIABLE = re.compile(r"(re)?set\s+variable\s", re.IGNORECASE)
_EXPLAIN = re.compile(r"explain\s+(analyze\s+)?(\([^)]*\)\s*)?", re.IGNORECASE)
_PIVOT = re.compile(r"(pivot|unpivot|with|select|from|\()", re.IGNORECASE)  # DuckDB runs it as several statements
_OUTSIDE = {"ATTACH", "DETACH", "COPY", "COPY_DATABASE", "EXPORT", "LOAD", "EXTENSION"}
_SETTINGS = {"SET", "PRAGMA", "CALL"}
_BARE_AT = re.compile(r"""(?<![\w."])at(?![\w"])""", re.IGNORECASE)
_NUMBERS = {"tinyint", "smallint", "integer", "bigint", "hugeint", "bignum", "float", "double", "decimal"}
_NUMBERS |= {"utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"}
_NESTED = {"list", "array", "struct", "map", "union", "variant"}


def execute(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[list[tuple[str, str]], Rows]:
    """The last statement's columns, each with its kind, and its rows as they come, each cell as text."""
    last = _prepared(connection, sql)
    if last.type.name == "EXPLAIN":
        plan = connection.execute(last.query).fetchall()
        return [("plan", TEXT)], ((line,) for *_, text in plan for line in str(text).splitlines())
    query = _bare(last.query)
    found = connection.sql(query)
    columns = [(name, _kind(type_)) for name, type_ in zip(found.columns, found.types, strict=True)]
    names = [f"c{number}" for number in range(len(columns))]
    cells = [_as_text(name, type_) for name, type_ in zip(names, found.types, strict=True)]
    text = f"SELECT {', '.join(cells)} FROM ({query}\n) AS result({', '.join(names)})"
    if len(connection.extract_statements(text)) != 1:
        raise UsageError("the query is more than one statement to DuckDB and less to itself: write it more plainly")
    return columns, _fetched(connection.execute(text))


def relation(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.DuckDBPyRelation:
    """The last statement as a relation that is not run yet."""
    last = _prepared(connection, sql)
    if last.type.name == "EXPLAIN":
        raise UsageError("a plan is text: leave --format parquet out")
    return connection.sql(_bare(last.query))


@contextlib.contextmanager
def explained(sql: str, memory: int) -> Iterator[None]:
    """DuckDB's errors as ours."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise UsageError(too_much_memory(memory)) from error
    except duckdb.Error as error:
        raise UsageError(_one_line(error, sql)) from error


def too_much_memory(memory: int) -> str:
    return f"the query needs more than {say_size(memory)} of memory: narrow it, or allow more with --memory"


# ---- which statements


def _prepared(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    """The last statement, after the others were run."""
    statements = connection.extract_statements(sql)
    if not statements:
        raise UsageError("the query is empty")
    for statement in statements:
        _let_through(connection, statement)
    *others, last = statements
    for statement in others:
        connection.execute(statement.query).fetchall()
    if last.type.name in ("CREATE", "SET"):
        raise UsageError("the last statement gives no rows: end with a SELECT")
    return last


def _let_through(connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement) -> None:
    """Only what cannot write. EXPLAIN ANALYZE runs what it explains, so that is looked at too."""
    kind, text = statement.type.name, statement.query.lstrip()
    if kind == "EXPLAIN":
        start = _EXPLAIN.match(text)
        inner = connection.extract_statements(text[start.end() :]) if start else []
        if len(inner) != 1 or inner[0].type.name != "SELECT":
            raise UsageError("only a SELECT can be explained here")
    elif kind == "CREATE" and not _TEMPORARY.match(text):
        raise UsageError("CREATE is refused: a capture is only read; CREATE TEMP lasts as long as the query")
    elif kind in _SETTINGS and not _VARIABLE.match(text):
        raise UsageError(f"{kind} is refused: SQL here runs with fixed settings")
    elif kind in _OUTSIDE:
        raise UsageError(f"{kind} is refused: SQL here reaches nothing but the capture; save a result with -o FILE")
    elif kind not in ("SELECT", "MULTI", "CREATE", "SET") or (kind == "MULTI" and not _PIVOT.match(text)):
        raise UsageError(f"{kind} is refused: a capture is only read")


def _bare(query: str) -> str:
    """A single statement without its semicolon and what may follow it."""
    import duckdb

    encoded = query.encode()
    for start, _ in duckdb.tokenize(query):
        if encoded[start : start + 1] == b";":
            return encoded[:start].decode()
    return query


# ---- rows


def _fetched(result: duckdb.DuckDBPyConnection) -> Rows:
    while rows := result.fetchmany(_BATCH):
        yield from rows


def _as_text(column: str, type_: Any) -> str:
    if type_.id in _NESTED:
        return f"to_json({column})::varchar"
    if type_.id == "timestamp with time zone":  # told the same way wherever the query runs
        return f"strftime({column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')"
    return f"{column}::varchar"


def _kind(type_: Any) -> str:
    if type_.id in _NUMBERS:
        return NUMBER
    if type_.id == "boolean":
        return BOOLEAN
    return JSON if type_.id in _NESTED or str(type_) == "JSON" else TEXT


# ---- errors


def _one_line(error: duckdb.Error, sql: str) -> str:
    """DuckDB's message without its drawing of the query, and with a hint where we have a better one."""
    text, _, drawing = str(error).partition("\n\nLINE ")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    message = " ".join(line for line in lines if not line.startswith('Did you mean "pg_'))
    number = drawing.partition(":")[0]
    if number.isdigit() and "\n" in sql.strip():
        message += f" (line {number})"
    kind = type(error).__name__
    if kind == "ParserException" and _BARE_AT.search(sql):
        message += '; `at` is a reserved word of DuckDB: write "at" in double quotes, or m.at'
    elif kind in ("CatalogException", "BinderException"):
        message += "; `mcptest sql --schema` lists the tables and their columns"
    elif kind == "PermissionException" or "configuration has been locked" in message:
        message = f"refused, SQL here reaches nothing but the capture: {message}"
    return message
