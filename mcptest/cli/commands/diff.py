"""Show what changed between two catalogues, and what of it breaks those who call.

Each change is breaking, risky or safe: for inputs what is narrower breaks callers, for outputs what is wider does.
Exits with 1 if there is a breaking change.
"""

from __future__ import annotations

from typing import Annotated

import typer

from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.reporting import ReportFormatOption, ReportOutputOption, emit, use_capture
from mcptest.errors import UsageError


def run(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The catalogue as it was: a session or a file.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The catalogue as it is.")],
    capture: CaptureOption = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
    fail_on: Annotated[
        str, typer.Option("--fail-on", metavar="breaking|risky|safe", help="Exit with 1 from this class on.")
    ] = "breaking",
) -> int:
    from mcptest import analyzers

    use_capture(capture)
    if fail_on not in list(analyzers.Effect):
        raise UsageError(f"unknown class {fail_on!r}; known: {', '.join(analyzers.Effect)}")
    if old == new == "-":
        raise UsageError("only one of the two can come from standard input")
    changes = analyzers.diff(analyzers.only_catalogue(old), analyzers.only_catalogue(new))
    report = analyzers.to_report(changes, old, new, analyzers.Effect(fail_on))
    emit(report, format, output, force=force)
    return report.exit_code
