"""The process that a user's SQL runs in. Started by `sandbox.py`, which says what it may take.

In this order: fold and open the capture, which needs the disk; have the kernel refuse any further writing; have DuckDB
give up the outside and lock its settings; have the kernel limit address space, processor and wall-clock time; only then
look at the SQL.

DuckDB's own lock is not enough: a locked database without external access may still COPY over the very file that
is attached to it, though it is attached for reading. So the kernel refuses that (`landlock.py`), and where it cannot,
only kinds of statements that cannot write are let through; also below EXPLAIN, since EXPLAIN ANALYZE runs what it
explains.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import orjson

from mcptest.capture import landlock, statements
from mcptest.capture.place import Place
from mcptest.errors import EXIT_FAULT, EXIT_USAGE, McptestError

if TYPE_CHECKING:
    import duckdb

    from mcptest.capture.store import Capture

_THREADS = 8  # each costs address space; captures are not larger than a few threads can scan
_WRITE = 64 << 10  # bytes sent at once


def main() -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent speaks for both
    answer = _Answer(os.dup(1))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever a library prints is no row
    request = orjson.loads(sys.stdin.buffer.read())
    try:
        _run(request, answer)
        answer.say({"end": True})
    except BrokenPipeError:
        pass  # nobody reads any more
    except MemoryError:
        answer.say({"error": statements.too_much_memory(request["memory"]), "code": EXIT_USAGE})
    except McptestError as error:
        answer.say({"error": str(error), "code": error.exit_code})
    except Exception as error:  # noqa: BLE001  (the parent tells the user; the traceback is for us)
        if os.environ.get("MCPTEST_DEBUG"):
            import traceback

            traceback.print_exc()
        answer.say({"error": f"{type(error).__name__}: {error}", "code": EXIT_FAULT})
    os._exit(0)  # without tearing DuckDB down


def _run(request: dict[str, Any], answer: _Answer) -> None:
    from mcptest.capture import Capture

    sql: str = request["sql"]
    with Capture.open(Place(Path(request["database"]))) as capture:
        connection = capture.connection
        if request["session"] is not None:
            narrow(capture, request["session"])
        memory: int = request["memory"]
        confine(connection, memory, request["parquet"])
        _limit(request["seconds"], memory)
        with statements.explained(sql, memory):
            if request["parquet"]:
                relation = statements.relation(connection, sql)
                answer.say({"columns": [], "problems": list(capture.problems)})
                _write_parquet(relation, request["parquet"], memory)
                return
            columns, rows = statements.execute(connection, sql)
            answer.say({"columns": columns, "problems": list(capture.problems)})
            for row in rows:
                answer.row(row)


# ---- confinement


def confine(connection: duckdb.DuckDBPyConnection, memory: int, writable: str | None = None) -> None:
    """From here on this process reads the capture and writes at most one file; nothing can change that any more."""
    connection.execute("SET threads = 1")
    connection.execute("SET async_threads = 0")
    # DuckDB has no threads of its own now; those that it starts again below are bound as this one is.
    output = None if writable is None else os.open(writable, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    landlock.forbid_writing(but_into=output)
    if writable is None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    lock_down(connection, memory)


def lock_down(connection: duckdb.DuckDBPyConnection, memory: int) -> None:
    """DuckDB's own part of it."""
    import duckdb

    with contextlib.suppress(duckdb.Error):  # refused if something was spilled; then it is the capture's own folder
        connection.execute("SET temp_directory = ''")
    connection.execute(f"SET memory_limit = '{max(memory // 10 * 9 >> 20, 64)}MiB'")
    threads = min(os.cpu_count() or 1, _THREADS)
    connection.execute(f"SET threads = {threads}")
    connection.execute(f"SET async_threads = {threads}")
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _limit(seconds: float, memory: int) -> None:
    """The kernel's limits, on top of what opening the capture took."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    space = _address_space() + memory
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = int(used.ru_utime + used.ru_stime + seconds * min(os.cpu_count() or 1, _THREADS)) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _address_space() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:  # no such file on this system
        return 1 << 30
    return pages * resource.getpagesize()


def narrow(capture: Capture, spec: str) -> None:
    """Let every table show one session only, by views of the same names that are looked at first."""
    from mcptest.capture import VIEWS

    session = capture.resolve(spec).id.replace("'", "''")
    for name in VIEWS:
        column = "id" if name == "sessions" else "session"
        capture.connection.execute(
            f"CREATE TEMP VIEW {name} AS SELECT * FROM memory.main.{name} WHERE {column} = '{session}'"
        )


# ---- answers


def _write_parquet(relation: duckdb.DuckDBPyRelation, path: str, memory: int) -> None:
    """The locked database may not write, so its rows stream into another one that runs nothing but this COPY."""
    import duckdb

    limit = f"{max(memory >> 21, 64)}MiB"
    with duckdb.connect(config={"memory_limit": limit, "temp_directory": "", "threads": 1}) as writer:
        writer.register("result", _Stream(relation))
        # Into the file itself, which is there and ours: a temporary one beside it could not be made.
        copy = "COPY (SELECT * FROM result) TO $path (FORMAT parquet, USE_TMP_FILE false)"
        writer.execute(copy, {"path": path}).fetchall()


class _Stream:
    """A relation as an Arrow stream and nothing more: DuckDB would otherwise ask which connection it belongs to."""

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._relation.__arrow_c_stream__(requested_schema)


class _Answer:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._parts: list[bytes] = []
        self._size = 0

    def row(self, cells: Sequence[str | None]) -> None:
        line = orjson.dumps(cells)
        self._parts += (line, b"\n")
        self._size += len(line)
        if self._size >= _WRITE:
            self._send()

    def say(self, what: dict[str, Any]) -> None:
        self._parts += (orjson.dumps(what), b"\n")
        self._send()

    def _send(self) -> None:
        data = memoryview(b"".join(self._parts))
        self._parts.clear()
        self._size = 0
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        while data:
            data = data[os.write(self._descriptor, data) :]
        if left:
            signal.setitimer(signal.ITIMER_REAL, left)
