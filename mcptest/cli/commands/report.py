"""Render a report again in another format.

Takes what `--format json` wrote; nothing is judged anew. Exits with 0 if it can be rendered.
"""

from __future__ import annotations

from typing import Annotated

import typer

from mcptest.cli.options import ForceOption
from mcptest.cli.reporting import ReportFormatOption, ReportOutputOption, emit


def run(
    results: Annotated[str, typer.Argument(metavar="RESULTS", help="A report in JSON; - is standard input.")],
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
) -> None:
    from mcptest import analyzers, jsontext, report
    from mcptest.errors import UsageError

    try:
        document = jsontext.read(analyzers.read_text(results))
    except jsontext.NotJsonError as error:
        raise UsageError(f"{results} is not JSON: {error}") from error
    emit(report.from_json(document, results), format, output, force=force)
