"""Ask one of the questions that come with mcptest.

`--list` tells which there are. Each is a file of SQL, which `--print` shows: take it as a start for your own with
`mcptest sql`.
"""

from __future__ import annotations

from typing import Annotated

import typer

from mcptest.capture import locate, queries
from mcptest.capture.sandbox import Column
from mcptest.cli import output as outputs
from mcptest.cli import tables
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
from mcptest.cli.querying import answer
from mcptest.errors import UsageError


def _complete(incomplete: str) -> list[tuple[str, str]]:
    return [(one.name, one.description) for one in queries.find_all() if one.name.startswith(incomplete)]


def run(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The question's name.", autocompletion=_complete)
    ] = None,
    show_list: Annotated[bool, typer.Option("--list", help="List the questions there are.")] = False,
    show_sql: Annotated[bool, typer.Option("--print", help="Print the question's SQL instead of asking it.")] = False,
    session: SessionOption = None,
    capture: CaptureOption = None,
    format: RowFormatOption = "table",
    output: OutputOption = None,
    force: ForceOption = False,
    timeout: TimeoutOption = 60.0,
    memory: MemoryOption = "4G",
) -> None:
    if show_list:
        rows = [(one.name, one.description) for one in queries.find_all()]
        if format == "parquet":
            raise UsageError("the list of questions is no parquet")
        with outputs.opened(output, force=force) as sink:
            tables.WRITERS[format]([Column("name"), Column("description")], rows, sink, None)
        return
    if name is None:
        raise UsageError(f"name a question: {', '.join(one.name for one in queries.find_all())}")
    question = queries.find(name)
    if show_sql:
        with outputs.opened(output, force=force) as sink:
            sink.write(question.sql)
        return
    answer(locate(capture), question.sql, session, format, output, force=force, limits=limits(timeout, memory))
