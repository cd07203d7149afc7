"""Ask the capture a question in SQL.

The query is DuckDB's SQL over the tables that `--schema` lists. It comes from the argument, from a file with `-f`,
or from standard input. Several statements are run in order, and the last one's rows are shown; CREATE TEMP helps on
the way. The query runs in a process of its own that can read the capture and reach nothing else, within the limits of
`--timeout` and `--memory`.

`at`, the time of a frame, is a reserved word: write "at" in double quotes, or m.at.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mcptest.capture import locate
from mcptest.cli.options import (
    CaptureOption,
    ForceOption,
    MemoryOption,
    OutputOption,
    RowFormatOption,
    SessionOption,
    TimeoutOption,
    limits,
)
from mcptest.cli.querying import SCHEMA, answer
from mcptest.errors import UsageError

_LONGEST_QUERY = 16 << 20


def run(
    query: Annotated[str | None, typer.Argument(metavar="QUERY", help="The query; - reads standard input.")] = None,
    file: Annotated[
        str | None, typer.Option("--file", "-f", metavar="FILE", help="Read the query from this file.")
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="List the tables and their columns instead.")] = False,
    session: SessionOption = None,
    capture: CaptureOption = None,
    format: RowFormatOption = "table",
    output: OutputOption = None,
    force: ForceOption = False,
    timeout: TimeoutOption = 60.0,
    memory: MemoryOption = "4G",
) -> None:
    if schema:
        if query is not None or file is not None:
            raise UsageError("--schema takes no query")
        text = SCHEMA
    else:
        text = _query(query, file)
    answer(locate(capture), text, session, format, output, force=force, limits=limits(timeout, memory))


def _query(argument: str | None, file: str | None) -> str:
    if argument is not None and file is not None:
        raise UsageError("give the query either as an argument or with -f, not both")
    try:
        if file is not None and file != "-":
            with Path(file).open("rb") as opened:
                data = opened.read(_LONGEST_QUERY + 1)
        elif argument is not None and argument != "-":
            return argument
        else:
            if sys.stdin.isatty():
                raise UsageError("no query: give one as an argument, with -f FILE, or on standard input")
            data = sys.stdin.buffer.read(_LONGEST_QUERY + 1)
        if len(data) > _LONGEST_QUERY:
            raise UsageError("the query is longer than 16 MiB")
        return data.decode("utf-8")
    except OSError as error:
        raise UsageError(f"cannot read the query from {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError("the query is not valid UTF-8") from error
