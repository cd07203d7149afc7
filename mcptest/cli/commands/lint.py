"""Show what suites count on that the specification has deprecated or dropped.

Roots, sampling, logging, HTTP+SSE and the rest, as the revision has it that the suite pins; without a pin, the newest
one. Exits with 1 if there is something. What has to change in a server is told by `mcptest doctor`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mcptest.cli.options import ForceOption
from mcptest.cli.reporting import SEVERITIES, ReportFormatOption, ReportOutputOption, emit, severity
from mcptest.findings import Report, Severity, combine


def run(
    suites: Annotated[list[str], typer.Argument(metavar="SUITE...", help="Suites: YAML files.")],
    spec: Annotated[
        str | None,
        typer.Option(
            "--spec", metavar="REVISION", help="Judge by this revision, e.g. v2026-07-28, whatever is pinned."
        ),
    ] = None,
    registry: Annotated[
        str | None,
        typer.Option("--registry", metavar="FOLDER", help="Corpora of your own, added to ours or in place of them."),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar=SEVERITIES, help="Exit with 1 from this severity on (default warning)."),
    ] = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
) -> int:
    from mcptest import yamltext
    from mcptest.compliance import Book, lint_suite

    least = severity(fail_on, Severity.WARNING)
    corpora = Book.load(Path(registry) if registry is not None else None).corpora
    reports = [lint_suite(yamltext.load(Path(suite)), corpora, spec) for suite in suites]
    result = Report(
        reports[0].title if len(reports) == 1 else f"deprecated features in {len(reports)} suites",
        tuple(suites),
        combine(report.verdicts for report in reports),
        {name: info for report in reports for name, info in report.rules.items()},
        fail_on=least,
        notes=tuple(note for report in reports for note in report.notes),
    )
    emit(result, format, output, force=force)
    return result.exit_code
