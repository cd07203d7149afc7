"""Show what it takes to move to another revision of the specification, from a recorded session or a live server.

What breaks, what is deprecated, what to do about each, and what could not be told. A server, given behind -- or with
--url, is exercised as `mcptest compliance run` does it, without a tool call, and asked for discovery and for a resource
that does not exist; beside a session it adds what the session does not hold. Exits with 1 if something breaks, with 3
if the server dies or cannot be reached.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcptest.capture import Place, locate, sources
from mcptest.cli import output as outputs
from mcptest.cli.dashes import behind
from mcptest.cli.exercising import TimeoutOption, exercised, live_server
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.reporting import SEVERITIES, ReportFormatOption, ReportOutputOption, emit, severity
from mcptest.cli.targets import BearerOption, HeaderOption, UrlOption
from mcptest.cli.terminal import DEFAULT_WIDTH, columns_of, wants_colour
from mcptest.errors import EXIT_TARGET, TargetError, UsageError
from mcptest.findings import Severity
from mcptest.protocol import HANDSHAKE_REVISIONS

if TYPE_CHECKING:
    from mcptest.compliance import Book, Diagnosis
    from mcptest.live import Exercise, Server


def run(
    context: typer.Context,
    session: Annotated[
        str | None,
        typer.Argument(metavar="SESSION", help="A session (an id, a name, last, last:2), or a file with one."),
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="REVISION", help="Where to move, e.g. v2026-07-28 or draft.")
    ] = "v2026-07-28",
    from_: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="REVISION", help="What is spoken today, where the session does not tell itself."
        ),
    ] = None,
    url: UrlOption = None,
    header: HeaderOption = None,
    bearer_env: BearerOption = None,
    timeout: TimeoutOption = 30.0,
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

    least, place = severity(fail_on, Severity.ERROR), locate(capture)
    server = live_server(behind(context), url, header, bearer_env, timeout)
    if session is None and server is None:
        raise UsageError("nothing to look at: name a session, e.g. mcptest doctor last, or a server behind --")
    book = Book.load(Path(registry) if registry is not None else None)
    target = book.corpora.named(to).name
    diagnosis = lost = None
    if session is not None:
        source = _only(session, place)
        diagnosis = diagnose(source.frames, book, target, from_=from_, source=source.name)
    if server is not None:
        exercise, live = _asked(server, place, book, target, from_)
        diagnosis, lost = live if diagnosis is None else diagnosis.beside(live), exercise.lost
    assert diagnosis is not None
    report = diagnosis.report(least)
    if format in (None, "text") and output in (None, outputs.STDOUT):
        from mcptest.cli import doctor_view

        columns = columns_of(sys.stdout) or DEFAULT_WIDTH
        with outputs.stdout() as sink:
            for line in doctor_view.lines(diagnosis, colour=wants_colour(sys.stdout), columns=columns):
                sink.write(line + "\n")
    else:
        emit(report, format, output, force=force)
    if lost is not None:
        complain(f"only what was seen until then is told: {lost}")
        return EXIT_TARGET
    return report.exit_code


SPLIT = [run]


def _only(session: str, place: Place) -> sources.Source:
    found = sources.find(session, place)
    if len(found) != 1:
        raise UsageError(f"{session} holds {len(found)} sessions: name one of them with --capture {session}")
    return found[0]


def _asked(server: Server, place: Place, book: Book, target: str, from_: str | None) -> tuple[Exercise, Diagnosis]:
    """What the server says itself. It is spoken to in the newest revision that it knows, up to the target."""
    from mcptest.compliance import diagnose, refused_discovery

    has_discovery = not any(book.corpora.named(target) is book.corpora.of(old) for old in HANDSHAKE_REVISIONS)
    exercise, recorded = exercised(server, place, from_ or (None if has_discovery else target))
    if recorded is None or exercise.revision is None:
        raise TargetError(exercise.lost or "the server was not reached")
    found = diagnose(recorded.frames, book, target, from_=from_, source=recorded.name)
    if has_discovery and exercise.refused is not None:
        found = found._replace(discovery=refused_discovery(exercise.refused))
    return exercise, found
