"""Judge sessions by the specification: which rule of which revision was broken, by whom, and where to see it.

Each message is judged by the revision that it belongs to, or all of them by the one named with --spec. A rule that met
nothing to judge is untested, never passed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcptest.capture import locate, sources
from mcptest.capture.sandbox import TEXT, Column
from mcptest.cli import output as outputs
from mcptest.cli import tables
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, ForceOption, FormatOption
from mcptest.cli.reporting import (
    SEVERITIES,
    ReportFormatOption,
    ReportOutputOption,
    emit,
    severity,
)
from mcptest.cli.terminal import columns_of
from mcptest.findings import Severity

if TYPE_CHECKING:
    from mcptest.compliance import Book, Demand, Outcome

SpecOption = Annotated[
    str | None,
    typer.Option("--spec", metavar="REVISION", help="Judge by this revision, e.g. v2025-11-25, whatever was spoken."),
]
RegistryOption = Annotated[
    str | None,
    typer.Option("--registry", metavar="FOLDER", help="Corpora of your own, added to ours or in place of them."),
]


def run(
    sessions: Annotated[
        list[str],
        typer.Argument(metavar="SESSION...", help="Sessions (an id, a name, last, last:2), or files with one each."),
    ],
    capture: CaptureOption = None,
    spec: SpecOption = None,
    select: Annotated[
        list[str] | None, typer.Option("--select", metavar="RULE", help="Only these rules, or families: TOOLS.")
    ] = None,
    registry: RegistryOption = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar=SEVERITIES, help="Exit with 1 from this severity on (default warning)."),
    ] = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
) -> int:
    """Judge recorded sessions.

    Exits with 1 if a rule is broken as severely as --fail-on says (MUST is an error, SHOULD a warning), and with 4 if a
    rule itself crashed.
    """
    from mcptest.compliance import comply, report

    book = _book(registry)
    outcomes: list[Outcome] = [
        comply(source.frames(), book, spec=spec, select=select or (), source=source.name)
        for session in sessions
        for source in sources.find(session, locate(capture))
    ]
    for outcome in outcomes:
        if outcome.differs:
            spoken = ", ".join(f"v{revision}" for revision in outcome.observed if revision) or "no revision"
            complain(f"note: {outcome.name} speaks {spoken}, and was judged by {outcome.pin}")
        elif not any(outcome.revisions):
            complain(f"note: nothing in {outcome.name} tells its revision: name one with --spec")
    result = report(outcomes, fail_on=severity(fail_on, Severity.WARNING))
    emit(result, format, output, force=force)
    return result.exit_code


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
    book = _book(registry)
    corpus = book.corpora.named(spec or [name for name in book.corpora.names if name.startswith("v")][-1])
    chosen = book.choose(family or ())
    columns = [Column(name, TEXT) for name in ("rule", "level", "binds", "decided", "demand", "page")]
    rows = [
        [rule, demand.level, demand.binds, _decided(book, demand), demand.text, corpus.url(rule)]
        for rule, demand in corpus.demands.items()
        if chosen is None or rule in chosen
    ]
    room = columns_of(sys.stdout)
    if format == "table" and room is not None:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    with outputs.stdout() as sink:
        tables.WRITERS[format](columns, rows, sink, room if format == "table" else None)


COMMANDS = [run, rules]


def _book(registry: str | None) -> Book:
    from mcptest.compliance import Book

    return Book.load(Path(registry) if registry is not None else None)


def _decided(book: Book, demand: Demand) -> str:
    if demand.decide == "probe":
        return "needs a probe"
    if demand.decide == "never":
        return "not observable"
    if demand.rule not in book.rules:
        return "not yet"
    return "checked" if demand.decide == "capture" else "checked, given the stimulus"
