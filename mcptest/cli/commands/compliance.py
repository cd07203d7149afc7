"""Judge sessions by the specification: which rule of which revision was broken, by whom, and where to see it.

Each message is judged by the revision that it belongs to, or all of them by the one named with --spec. A rule that met
nothing to judge is untested, never passed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mcptest.capture import locate, sources
from mcptest.capture.sandbox import TEXT, Column
from mcptest.cli import output as outputs
from mcptest.cli import tables
from mcptest.cli.dashes import behind
from mcptest.cli.exercising import TimeoutOption, exercised, live_server
from mcptest.cli.grading import BadgeOption, ScorecardOption, graded
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, ForceOption, FormatOption, OutputOption
from mcptest.cli.reporting import (
    SEVERITIES,
    ReportFormatOption,
    ReportOutputOption,
    emit,
    severity,
)
from mcptest.cli.targets import BearerOption, HeaderOption, UrlOption
from mcptest.cli.terminal import columns_of, wants_colour
from mcptest.errors import EXIT_FINDINGS, EXIT_FINE, EXIT_TARGET, TargetError, UsageError
from mcptest.findings import Severity

if TYPE_CHECKING:
    from mcptest.compliance import Book, Outcome, Suite

SpecOption = Annotated[
    str | None,
    typer.Option("--spec", metavar="REVISION", help="Judge by this revision, e.g. v2025-11-25, whatever was spoken."),
]
RegistryOption = Annotated[
    str | None,
    typer.Option("--registry", metavar="FOLDER", help="Corpora of your own, added to ours or in place of them."),
]


def run(
    context: typer.Context,
    sessions: Annotated[
        list[str] | None,
        typer.Argument(metavar="SESSION...", help="Sessions (an id, a name, last, last:2), or files with one each."),
    ] = None,
    url: UrlOption = None,
    header: HeaderOption = None,
    bearer_env: BearerOption = None,
    timeout: TimeoutOption = 30.0,
    capture: CaptureOption = None,
    spec: SpecOption = None,
    select: Annotated[
        list[str] | None, typer.Option("--select", metavar="RULE", help="Only these rules, or families: TOOLS.")
    ] = None,
    from_suite: Annotated[
        str | None,
        typer.Option("--from-suite", metavar="FILE", help="Judge as the `compliance:` block of this YAML file says."),
    ] = None,
    registry: RegistryOption = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar=SEVERITIES, help="Exit with 1 from this severity on (default warning)."),
    ] = None,
    save_scorecard: ScorecardOption = None,
    badge: BadgeOption = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
) -> int:
    """Judge recorded sessions, or a live server.

    A server, given behind -- or with --url, is exercised and recorded first: the opening, every list to its last page,
    reads of resources, prompts, completion, ping, a missing resource, an unknown method; never a tool call. With --spec
    it is spoken to in that revision, else in the newest that it knows.

    A suite says what is judged, by which revision and which rules; what is named here is judged in place of its own.
    Exits with 1 if a rule is broken as severely as --fail-on says (MUST is an error, SHOULD a warning) or a gate of the
    suite does not hold, with 3 if the server dies or cannot be reached, and with 4 if a rule itself crashed.
    """
    from mcptest.compliance import grade_sessions, report

    book, place = _book(registry), locate(capture)
    suite, server = None, live_server(behind(context), url, header, bearer_env, timeout)
    if server is not None and sessions:
        raise UsageError("name sessions or a server, not both: a server is recorded, and then judged")
    if from_suite is not None:
        suite = _suite(from_suite, book, spec, select)
        book, spec, select = suite.book, suite.pin or spec, list(suite.select)
        if server is None and not sessions:
            sessions, server = _recordings(suite, from_suite), suite.server
    elif not sessions and server is None:
        raise UsageError(
            "nothing to judge: name a session (last, a file), a server behind --, or a suite (--from-suite)"
        )
    found = [source for session in sessions or () for source in sources.find(session, place)]
    exercise = None
    if server is not None:
        if spec is not None:
            book.corpora.named(spec)  # before anything is started for a name that means nothing
        exercise, recorded = exercised(server, place, spec)
        if recorded is None:
            raise TargetError(exercise.lost or "the server was not reached")
        found = [recorded]
    outcomes = _judged(found, book, spec, select or ())
    spoken = exercise is None or exercise.revision is not None  # a server that was never spoken to has no grade
    card = grade_sessions(outcomes, book.corpora) if outcomes and spoken else None
    gates = suite.gates(card) if suite is not None else ()
    result = report(outcomes, fail_on=severity(fail_on, Severity.WARNING), gates=gates)
    if exercise is not None:
        result = result._replace(notes=(*result.notes, exercise.line))
    if spoken:
        result = graded(result, card, scorecard=save_scorecard, badge=badge, force=force)
    emit(result, format, output, force=force)
    if exercise is not None and exercise.lost is not None:
        complain(f"only what was seen until then is judged: {exercise.lost}")
        return EXIT_TARGET
    return result.exit_code


def _judged(found: Sequence[sources.Source], book: Book, spec: str | None, select: Sequence[str]) -> list[Outcome]:
    from mcptest.compliance import comply_each

    outcomes = list(comply_each(found, book, spec=spec, select=select))
    for outcome in outcomes:
        if outcome.pin is None and not any(outcome.revisions):
            complain(f"note: nothing in {outcome.name} tells its revision: name one with --spec")
    return outcomes


def _suite(path: str, book: Book, spec: str | None, select: list[str] | None) -> Suite:
    from mcptest.compliance import load_suite

    if select:
        raise UsageError("--select and --from-suite exclude each other: the suite's tests say which rules are judged")
    suite = load_suite(Path(path), book)
    if spec is not None and suite.pin is not None:
        raise UsageError(f"{path} pins {suite.pin}, so --spec cannot name another revision: change the suite's pin")
    return suite


def _recordings(suite: Suite, path: str) -> list[str]:
    """What the suite names. One that is nothing but a gate needs no recording, and is told apart from a forgotten
    one by having no tests."""
    if not suite.recordings and suite.server is None:
        if not suite.is_only_a_gate:
            raise UsageError(
                f"{path} names nothing to judge: give it a `capture:` or a `server:`, or name a session here"
            )
        complain(f"note: {path} names no recording: only its gate is judged")
    return list(suite.recordings)


def diff(
    old: Annotated[str, typer.Argument(metavar="FROM", help="The revision of today, e.g. v2024-11-05.")],
    new: Annotated[str, typer.Argument(metavar="TO", help="The revision to move to, e.g. v2025-06-18, or draft.")],
    registry: RegistryOption = None,
    format: Annotated[
        Literal["pretty", "markdown", "json"], typer.Option("--format", help="How to write the comparison.")
    ] = "pretty",
    output: OutputOption = None,
    force: ForceOption = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if a rule that both revisions have changed.")
    ] = False,
) -> int:
    """Show which rules change from one revision to another.

    A rule is changed where its level, whom it binds, its transports or its parameters differ. Rules that only one
    revision has are added or removed, and break nothing that holds today.
    """
    from mcptest.cli import versions_view
    from mcptest.compliance import diff_versions

    corpora = _book(registry).corpora
    found = diff_versions(corpora.named(old), corpora.named(new))
    on_terminal = output in (None, outputs.STDOUT)
    if format == "json":
        text = json.dumps(found.to_json(), indent=2) + "\n"
    elif format == "markdown":
        text = "".join(f"{line}\n" for line in versions_view.markdown(found))
    else:
        colour, room = (wants_colour(sys.stdout), columns_of(sys.stdout)) if on_terminal else (False, None)
        text = "".join(f"{line}\n" for line in versions_view.pretty(found, colour=colour, room=room))
    with outputs.opened(output, force=force) as sink:
        sink.write(text)
    return EXIT_FINDINGS if exit_code and not found.is_clean else EXIT_FINE


def rules(
    spec: SpecOption = None,
    family: Annotated[
        list[str] | None, typer.Option("--family", metavar="NAME", help="Only this family, e.g. TOOLS.")
    ] = None,
    registry: RegistryOption = None,
    format: FormatOption = "table",
) -> None:
    """List what a revision demands, and how each rule is decided.

    Without --spec, the rules of the newest published revision.
    """
    from mcptest.compliance import way_of

    book = _book(registry)
    corpus = book.corpora.named(spec or [name for name in book.corpora.names if name.startswith("v")][-1])
    chosen = book.choose(family or ())
    columns = [Column(name, TEXT) for name in ("rule", "level", "binds", "decided", "demand", "page")]
    rows = [
        [rule, demand.level, demand.binds, way_of(book, demand).text, demand.text, corpus.url(rule)]
        for rule, demand in corpus.demands.items()
        if chosen is None or rule in chosen
    ]
    room = columns_of(sys.stdout)
    if format == "table" and room is not None:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    with outputs.stdout() as sink:
        tables.WRITERS[format](columns, rows, sink, room if format == "table" else None)


def coverage(
    family: Annotated[
        list[str] | None, typer.Option("--family", metavar="NAME", help="Only this family, e.g. TOOLS.")
    ] = None,
    registry: RegistryOption = None,
    format: Annotated[
        Literal["text", "markdown", "json"], typer.Option("--format", help="How to write it; text has the counts only.")
    ] = "text",
    output: OutputOption = None,
    force: ForceOption = False,
) -> None:
    """Count, for each revision, the rules that are checked offline, need a probe, or cannot be observed.

    Markdown and JSON also tell it rule by rule.
    """
    from mcptest.cli import coverage_view
    from mcptest.compliance import coverage as cover

    book = _book(registry)
    found = cover(book, book.choose(family or ()))
    if format == "json":
        text = json.dumps(found.to_json(), indent=2, ensure_ascii=False) + "\n"
    else:
        lines = coverage_view.markdown(found) if format == "markdown" else coverage_view.pretty(found)
        text = "".join(f"{line}\n" for line in lines)
    with outputs.opened(output, force=force) as sink:
        sink.write(text)


SPLIT = [run]
COMMANDS = [run, diff, rules, coverage]


def _book(registry: str | None) -> Book:
    from mcptest.compliance import Book

    return Book.load(Path(registry) if registry is not None else None)
