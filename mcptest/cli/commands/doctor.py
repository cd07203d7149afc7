"""Show what it takes to move to another revision of the specification, from a recorded session.

What breaks, what is deprecated, what to do about each, and what the session cannot tell. Exits with 1 if something
breaks.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mcptest.capture import locate, sources
from mcptest.cli import output as outputs
from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.reporting import SEVERITIES, ReportFormatOption, ReportOutputOption, emit, severity
from mcptest.cli.terminal import DEFAULT_WIDTH, columns_of, wants_colour
from mcptest.errors import UsageError
from mcptest.findings import Severity


def run(
    session: Annotated[
        list[str] | None,
        typer.Argument(metavar="SESSION", help="A session (an id, a name, last, last:2), or a file with one."),
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="REVISION", help="Where to move, e.g. v2026-07-28 or draft.")
    ] = "v2026-07-28",
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="REVISION", help="What the session speaks, where it does not tell itself."),
    ] = None,
    url: Annotated[str | None, typer.Option("--url", metavar="URL", help="Not yet: a live server over HTTP.")] = None,
    capture: CaptureOption = None,
    registry: Annotated[
        str | None,
        typer.Option("--registry", metavar="FOLDER", help="Corpora of your own, added to ours or in place of them."),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar=SEVERITIES, help="Exit with 1 from this severity on (default error)."),
    ] = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
) -> int:
    from mcptest.compliance import Book, diagnose

    least = severity(fail_on, Severity.ERROR)
    if url is not None or len(session or ()) > 1:
        raise UsageError("doctor does not ask live servers yet: record a session and name it, e.g. mcptest doctor last")
    if not session:
        raise UsageError("no session: name one, e.g. mcptest doctor last --to v2026-07-28")
    found = sources.find(session[0], locate(capture))
    if len(found) != 1:
        raise UsageError(f"{session[0]} holds {len(found)} sessions: name one of them with --capture {session[0]}")
    book = Book.load(Path(registry) if registry is not None else None)
    diagnosis = diagnose(found[0].frames, book, to, from_=from_, source=found[0].name)
    report = diagnosis.report(least)
    if format in (None, "text") and output in (None, outputs.STDOUT):
        from mcptest.cli import doctor_view

        columns = columns_of(sys.stdout) or DEFAULT_WIDTH
        with outputs.stdout() as sink:
            for line in doctor_view.lines(diagnosis, colour=wants_colour(sys.stdout), columns=columns):
                sink.write(line + "\n")
    else:
        emit(report, format, output, force=force)
    return report.exit_code
