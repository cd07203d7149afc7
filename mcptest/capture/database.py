"""Open a capture's DuckDB file, never as the main database.

A database file can redefine built-in functions for whoever opens it. So the main database is always one of our own,
in memory, and the file is attached to it under a name and never USEd: then its macros and views are not looked at,
and only its tables are read, after their columns were found to be what we expect.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcptest.capture.locks import Busy
from mcptest.capture.schema import APPLICATION, FORMAT, TABLES, bare, create_tables, create_views
from mcptest.errors import CaptureError

if TYPE_CHECKING:
    import duckdb

NAME = "cap"  # what the file is attached as
DATA = f"{NAME}.data"
# Readable by DuckDB 1.5 too: people look into the file with tools of their own.
_STORAGE = "STORAGE_VERSION 'v1.5.0'"
_POLL = 0.02
_AID = "`mcptest capture rebuild` makes a new one from the journals and keeps this one aside"


class Foreign(CaptureError):  # noqa: N818  (reads better where it is caught)
    """A database, but not a capture of ours, or a newer one: it must not be touched."""


class Unreadable(CaptureError):  # noqa: N818  (reads better where it is caught)
    """Not a database that DuckDB can open."""


class Outdated(CaptureError):  # noqa: N818  (reads better where it is caught)
    """A capture, but not with the tables that this version has."""


class NotWritable(CaptureError):  # noqa: N818  (reads better where it is caught)
    """The file, or where it is, cannot be written by this user."""


class WriteFailed(CaptureError):  # noqa: N818  (reads better where it is caught)
    """Writing did not succeed; what the capture held before, it still holds."""


def connect(spill: Path) -> duckdb.DuckDBPyConnection:
    """Our own database in memory. What does not fit spills beside the capture, which is private, not into the
    working directory."""
    import duckdb

    connection = duckdb.connect(
        config={
            "allow_community_extensions": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "memory_limit": "1GB",
            "pandas_analyze_sample": 0,  # text columns are text, without a look at the values
            "python_enable_replacements": False,  # SQL sees no Python variables
            "temp_directory": str(spill / f".spill-{os.getpid()}-{secrets.token_hex(4)}"),
        }
    )
    connection.execute("SET TimeZone = 'UTC'")
    return connection


@contextmanager
def writing(path: Path, wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """The capture attached for writing, created if it is not there. Busy if another program has it open."""
    import duckdb

    with _private(), connect(path.parent) as connection:
        _attach(connection, path, wait, "(TYPE duckdb)" if path.exists() else f"(TYPE duckdb, {_STORAGE})")
        try:
            if _is_empty(connection):
                _create(connection)
            check(connection, path)
        except duckdb.Error as error:
            raise _refusal(path, error) from error
        try:
            yield connection
        except duckdb.Error as error:
            raise WriteFailed(f"cannot write to {path}: {_reason(error)}") from error


@contextmanager
def reading(path: Path, wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """The capture attached for reading; an empty one in memory if there is none."""
    import duckdb

    with connect(path.parent) as connection:
        there = path.exists()
        if there:
            _attach(connection, path, wait, "(TYPE duckdb, READ_ONLY)")
            if _is_empty(connection):
                connection.execute(f"DETACH {NAME}")
                there = False
        if not there:
            connection.execute(f"ATTACH ':memory:' AS {NAME}")
            _create(connection)
        try:
            check(connection, path)
        except duckdb.Error as error:
            raise _refusal(path, error) from error
        yield connection


def check(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse what is not a capture of this format: tables must be tables, with the columns we know."""
    found: dict[str, dict[str, str]] = {}
    rows = connection.execute(
        "SELECT c.table_name, c.column_name, c.data_type FROM duckdb_columns() c JOIN duckdb_tables() t"
        " USING (database_name, schema_name, table_name)"
        " WHERE c.database_name = ? AND c.schema_name = 'data' ORDER BY c.column_index",
        [NAME],
    ).fetchall()
    for table, column, kind in rows:
        found.setdefault(table, {})[column] = kind
    if found.get("meta") != TABLES["meta"]:
        raise Foreign(f"{path} is a DuckDB database, but not an mcptest capture")
    meta = connection.execute(f"SELECT application, format FROM {DATA}.meta").fetchall()
    if len(meta) != 1 or meta[0][0] != APPLICATION:
        raise Foreign(f"{path} is a DuckDB database, but not an mcptest capture")
    stored = meta[0][1] or 0
    if stored > FORMAT:
        raise Foreign(f"{path} is in capture format {stored}, this mcptest reads up to {FORMAT}: upgrade mcptest")
    expected = {table: {c: bare(kind) for c, kind in columns.items()} for table, columns in TABLES.items()}
    if stored < FORMAT or found != expected:
        raise Outdated(f"{path} is not as this mcptest makes it: run `mcptest capture rebuild`")


def first(
    connection: duckdb.DuckDBPyConnection, query: str, values: list[Any] | dict[str, Any]
) -> tuple[Any, ...] | None:
    """The first row. All are fetched: a result that is left unread blocks its connection."""
    rows = connection.execute(query, values).fetchall()
    return rows[0] if rows else None


def _create(connection: duckdb.DuckDBPyConnection) -> None:
    from mcptest import __version__

    connection.execute("BEGIN")
    for statement in create_tables(DATA) + create_views(f"{NAME}.main", "data"):
        connection.execute(statement)
    connection.execute(f"INSERT INTO {DATA}.meta VALUES (?, ?, ?)", [APPLICATION, FORMAT, __version__])
    connection.execute("COMMIT")


def _is_empty(connection: duckdb.DuckDBPyConnection) -> bool:
    """Freshly created, perhaps by a process that was killed before it came further."""
    tables = "SELECT 1 FROM duckdb_tables() WHERE database_name = $name"
    views = "SELECT 1 FROM duckdb_views() WHERE NOT internal AND database_name = $name"
    return first(connection, f"{tables} UNION ALL {views}", {"name": NAME}) is None


def _attach(connection: duckdb.DuckDBPyConnection, path: Path, wait: float, options: str) -> None:
    import duckdb

    deadline = time.monotonic() + wait
    quoted = str(path).replace("'", "''")
    while True:
        try:
            connection.execute(f"ATTACH '{quoted}' AS {NAME} {options}")
            return
        except duckdb.Error as error:
            if not _is_held(error):
                raise _refusal(path, error) from error
            if time.monotonic() >= deadline:
                raise Busy(_holder(error)) from error
            time.sleep(_POLL)


def _is_held(error: duckdb.Error) -> bool:
    return "Could not set lock" in str(error) or "Unique file handle conflict" in str(error)


def _holder(error: Exception) -> str:
    found = re.search(r"held in (.+?) \(PID (\d+)\)", str(error))
    return f"{Path(found[1]).name} (process {found[2]})" if found else "another program"


def _reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _refusal(path: Path, error: Exception) -> CaptureError:
    reason = _reason(error)
    if "not a valid DuckDB database file" in reason:
        return Unreadable(f"{path} is not a DuckDB database, or its beginning is damaged; {_AID}")
    if reason.endswith(("Permission denied", "Read-only file system", "Operation not permitted")):
        return NotWritable(f"cannot open {path}: {reason.rpartition(': ')[2]}")
    if reason.endswith(("Is a directory", "No such file or directory")):
        return CaptureError(f"cannot open {path}: {reason.rpartition(': ')[2]}")
    if reason.endswith(("No space left on device", "Disk quota exceeded", "File too large")):
        return WriteFailed(f"cannot write to {path}: {reason.rpartition(': ')[2]}")
    if "newer" in reason or "version number" in reason:
        return Foreign(f"{path} was written by a newer DuckDB: upgrade duckdb")
    return Unreadable(f"{path} is damaged ({reason}); {_AID}")


@contextmanager
def _private() -> Iterator[None]:
    """Files made meanwhile, DuckDB's log among them, are for this user only."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)
