"""What the commands that report have in common: options, and where the report goes."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Annotated

import typer

from mcptest.capture.place import ENVIRONMENT
from mcptest.cli import output as outputs
from mcptest.cli.terminal import wants_colour
from mcptest.findings import Report, Severity

_READABLE = 0o644
FORMATS = "text|json|sarif|junit|github|gitlab|markdown|html|ndjson"
SEVERITIES = "|".join(severity.label for severity in Severity)

ReportFormatOption = Annotated[
    str | None,
    typer.Option(
        "--format", metavar=FORMATS, help="How to write the report. Without it, as the name after -o asks, else text."
    ),
]
ReportOutputOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the report into this new file.")
]
SelectOption = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="RULE", help="Run only these rules: an id, or the beginning of one (SCH)."),
]
IgnoreOption = Annotated[
    list[str] | None, typer.Option("--ignore", metavar="RULE", help="Leave these rules out: an id, or its beginning.")
]

SourceArgument = Annotated[
    str,
    typer.Argument(metavar="SOURCE", help="A session (last, a name, an id), or a file; - is standard input."),
]


def use_capture(named: str | None) -> None:
    """Sessions are looked up in this capture, by this process and by those that it starts to share the work."""
    if named:
        os.environ[ENVIRONMENT] = named


def emit(report: Report, format: str | None, output: str | None, *, force: bool = False) -> None:
    """Write a report to where it was asked for."""
    import sys

    from mcptest.report import render, suffix_format

    named = output if output not in (None, outputs.STDOUT) else None
    chosen = format or (suffix_format(named) if named else None) or "text"
    text = render(report, chosen, colour=named is None and wants_colour(sys.stdout))
    with outputs.opened(output, force=force) as sink:
        sink.write(text)


def severity(named: str | None, default: Severity) -> Severity:
    return Severity.named(named) if named else default


def replace(path: Path, text: str) -> None:
    """Put a new text into a file that belongs to the user: all of it or nothing, with the mode that it had, and never
    through a link."""
    with outputs.new_file(path, force=True) as aside:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else _READABLE
        aside.write_bytes(text.encode("utf-8"))
        aside.chmod(mode)
