"""The grade beside a compliance report: a line in it, a scorecard to compare with later, a badge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from mcptest.cli import output as outputs
from mcptest.errors import UsageError

if TYPE_CHECKING:
    from mcptest.compliance import Scorecard
    from mcptest.findings import Report

ScorecardOption = Annotated[
    str | None,
    typer.Option("--save-scorecard", metavar="FILE", help="Write the server's grade, section by section, as JSON."),
]
BadgeOption = Annotated[
    str | None, typer.Option("--badge", metavar="FILE", help="Draw the server's grade as an SVG for a README.")
]


def graded(report: Report, card: Scorecard | None, *, scorecard: str | None, badge: str | None, force: bool) -> Report:
    """The report with the grade among its notes; the files that were asked for are written."""
    from mcptest.compliance import draw_badge

    if card is None:
        if scorecard or badge:
            raise UsageError("there is nothing to grade: name a session")
        return report
    if scorecard is not None:
        with outputs.opened(scorecard, force=force) as sink:
            sink.write(json.dumps(card.to_json(), indent=2) + "\n")
    if badge is not None:
        with outputs.opened(badge, force=force) as sink:
            sink.write(draw_badge(card))
    return report._replace(notes=(*report.notes, card.line))
