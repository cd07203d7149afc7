"""Options that several commands share, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mcptest.capture import Place, journals, locate
from mcptest.capture.place import ENVIRONMENT
from mcptest.capture.sandbox import Limits
from mcptest.cli.guard import complain
from mcptest.errors import CaptureError, UsageError

if TYPE_CHECKING:
    from mcptest.capture import Capture

_COMPLETED = 30  # sessions offered to the shell, the newest
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_LEAST_MEMORY = 64 << 20


def _complete(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """From the journals alone: opening the database for a tabulator would take too long."""
    offers = [("last", "the newest session")]
    for path in reversed(journals.find(locate(context.params.get("capture")).journals)[-_COMPLETED:]):
        try:
            header = journals.read_header(path)
        except CaptureError:
            continue
        if header is not None:
            offers.append((header.session, header.name or header.transport))
            if header.name and header.name.isprintable() and " " not in header.name:
                offers.append((header.name, header.session))
    return [(value, text) for value, text in offers if value.startswith(incomplete)]


CaptureOption = Annotated[
    str | None,
    typer.Option(
        "--capture",
        metavar="PATH",
        envvar=ENVIRONMENT,
        help="The capture to use: a .duckdb file or a folder. Without it, your own.",
    ),
]
SessionArgument = Annotated[
    str,
    typer.Argument(
        metavar="SESSION",
        help="A session: its id or the beginning of it, its name, last, last:2 for the one before.",
        autocompletion=_complete,
    ),
]
SessionOption = Annotated[
    str | None,
    typer.Option(
        "--session",
        metavar="SESSION",
        help="Look at one session only: its id or the beginning of it, its name, last, last:2.",
        autocompletion=_complete,
    ),
]
TableFormat = Literal["table", "json", "csv", "markdown"]
RowFormat = Literal["table", "json", "csv", "markdown", "parquet"]
FormatOption = Annotated[TableFormat, typer.Option("--format", help="How to write the rows.")]
RowFormatOption = Annotated[
    RowFormat, typer.Option("--format", help="How to write the rows. json is one array of objects; parquet needs -o.")
]
OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write into this new file; - is standard output.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")]
TimeoutOption = Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="How long the query may take.")]
MemoryOption = Annotated[str, typer.Option("--memory", metavar="SIZE", help="How much memory the query may take.")]


@contextmanager
def opened(place: Place) -> Iterator[Capture]:
    """A capture for reading; what could not be read of it is told."""
    from mcptest.capture import Capture

    with Capture.open(place) as capture:
        warn(capture.problems)
        yield capture


def warn(problems: list[str] | tuple[str, ...]) -> None:
    for problem in problems:
        complain(f"warning: {problem}")


def limits(timeout: float, memory: str) -> Limits:
    if not 0 < timeout <= 86_400:
        raise UsageError("--timeout must be more than 0 s and at most a day")
    match = _SIZE.fullmatch(memory.strip())
    size = int(float(match[1]) * _UNITS[match[2].lower()]) if match else 0
    if not _LEAST_MEMORY <= size <= 1 << 50:
        raise UsageError(f"--memory {memory!r}: give a size such as 512M or 4G, 64M at least")
    return Limits(timeout, size)
