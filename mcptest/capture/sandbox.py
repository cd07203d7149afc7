"""A user's SQL over a capture, in a process of its own that can read the capture and do nothing else.

DuckDB's own limits on memory and time do not hold for every query, so each one gets a fresh child (`confined.py`) that
the kernel limits: it opens the capture, gives up all access to the outside, and sends the rows back as lines of JSON.
This module, the parent's side, never loads duckdb.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import orjson

from mcptest.capture.place import Place
from mcptest.errors import EXIT_USAGE, McptestError, UsageError

NUMBER, BOOLEAN, JSON, TEXT = "number", "boolean", "json", "text"

# `-P`: a file named like one of our modules in the current folder must not be imported. The package is found where
# this process found it, last, so that it hides nothing.
_CHILD = "import sys; sys.path.append(sys.argv[1]); from mcptest.capture.confined import main; main()"
_PACKAGES = str(Path(__file__).parents[2])
_OUT_OF_TIME = {-signal.SIGALRM, -signal.SIGXCPU}


class Limits(NamedTuple):
    """What one query may take: seconds of waiting for it, and bytes of memory beyond those that any query needs."""

    seconds: float = 60.0
    memory: int = 4 << 30


DEFAULT = Limits()


class Column(NamedTuple):
    """A column's kind says what the text of its cells means: numbers and booleans as in JSON, a JSON document, text."""

    name: str
    kind: str = TEXT


class Rows:
    """A query's result: its columns, then its rows as they come; each cell is text, or None for NULL."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        start = orjson.loads(next(lines))
        self.columns = [Column(*column) for column in start["columns"]]
        self.problems: list[str] = start["problems"]  # journals that could not be read, one line each

    def __iter__(self) -> Iterator[list[str | None]]:
        for line in self._lines:
            if line.startswith(b"["):
                yield orjson.loads(line)


@contextlib.contextmanager
def query(place: Place, sql: str, *, session: str | None = None, limits: Limits = DEFAULT) -> Iterator[Rows]:
    """Run SQL over a capture, or over one session of it (id, name, `last`); several statements give the last's rows."""
    with _child(place, sql, session, limits, None) as lines:
        yield Rows(lines)


def write_parquet(
    place: Place, sql: str, path: Path, *, session: str | None = None, limits: Limits = DEFAULT
) -> list[str]:
    """Run SQL and write its result into an existing file, with DuckDB's own types; the problems met, one line each."""
    with _child(place, sql, session, limits, str(path)) as lines:
        rows = Rows(lines)
        for _ in rows:
            pass
        return rows.problems


@contextlib.contextmanager
def _child(
    place: Place, sql: str, session: str | None, limits: Limits, parquet: str | None
) -> Iterator[Iterator[bytes]]:
    request = {
        "database": os.fsdecode(place.database),
        "sql": sql,
        "session": session,
        "seconds": limits.seconds,
        "memory": limits.memory,
        "parquet": parquet,
    }
    try:
        body = orjson.dumps(request)
    except orjson.JSONEncodeError as error:
        raise UsageError("the query is not valid UTF-8") from error
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", _CHILD, _PACKAGES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if os.environ.get("MCPTEST_DEBUG") else subprocess.DEVNULL,
        # glibc would reserve 64 MiB of address space per thread and CPU, which counts against the limit
        env={**os.environ, "MALLOC_ARENA_MAX": "2"},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(body)
            child.stdin.close()
        yield _lines(child, child.stdout, limits)
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()


def _lines(child: subprocess.Popen[bytes], answer: IO[bytes], limits: Limits) -> Iterator[bytes]:
    """What the child says up to its end; an exception if it reports one, or dies."""
    for line in answer:
        if line.startswith(b"{"):
            said: dict[str, Any] = orjson.loads(line)
            if "end" in said:
                return
            if "error" in said:
                raise (UsageError if said["code"] == EXIT_USAGE else McptestError)(said["error"])
        yield line
    code = child.wait()
    if code in _OUT_OF_TIME:
        raise UsageError(f"the query took longer than {limits.seconds:g} s: narrow it, or allow more with --timeout")
    if code < 0:
        raise UsageError(
            f"the query ended its process (signal {-code}), probably for lack of memory "
            f"({say_size(limits.memory)}): narrow it, or allow more with --memory"
        )
    raise McptestError(f"the query's process ended without an answer (exit code {code})")


def say_size(size: int) -> str:
    if size >= 1 << 30:
        return f"{size / (1 << 30):.4g} GiB"
    return f"{size / (1 << 20):.4g} MiB"
