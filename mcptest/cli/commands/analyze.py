"""Run every judge over recordings and catalogues, and report what they found.

Sources are recorded sessions, exports and captures, or files with a tools/list result, a JSON-RPC response that holds
one, or an array of tools; many at once are judged in parallel. What a server offers is linted, and what was said in a
recording is judged by the specification, each message by its own revision. Exits with 1 if a finding is as severe as
--fail-on or a baseline entry is stale, and with 4 if a rule crashed. Rules, their options and the baseline can be set
in `mcptest.toml` under [lint].
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcptest.cli import judges
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.reporting import (
    SEVERITIES,
    IgnoreOption,
    ReportFormatOption,
    ReportOutputOption,
    SelectOption,
    emit,
    replace,
    severity,
    use_capture,
)
from mcptest.errors import UsageError
from mcptest.findings import Report, Severity

if TYPE_CHECKING:
    from mcptest.analyzers import Plan

DEFAULT_BASELINE = "mcptest.baseline.toml"


def run(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="Sessions (last, a name, an id), or files; - is standard input."),
    ],
    capture: CaptureOption = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar=SEVERITIES, help="Exit with 1 from this severity on (default warning)."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="FILE", help="Findings that are accepted, with their reasons.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Accept all that is found now: write the baseline anew.")
    ] = False,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes to use (default: one for each core).")
    ] = 0,
) -> int:
    from mcptest import analyzers, config

    use_capture(capture)
    settings = config.load()
    table = settings.table("lint", {"select", "ignore", "rules", "options", "fail_on", "baseline"})
    plan = analyzers.plan(settings, select or (), ignore or ())
    home = settings.path.parent if settings.path else Path()
    path = Path(baseline) if baseline else home / table["baseline"] if "baseline" in table else None
    threshold = severity(fail_on or table.get("fail_on"), Severity.WARNING)
    if update_baseline and os.environ.get("CI", "").lower() in ("true", "1"):
        raise UsageError("--update-baseline is refused where CI is set: accept findings where somebody looks at them")
    if len(set(sources)) != len(sources):
        raise UsageError("a source is named twice")
    panel = judges.panel(plan, sources)
    using = analyzers.load_rules(panel.plan)
    judged = sorted(_judged(sources, panel, jobs), key=lambda one: sources.index(one.source))
    title = f"Analysis of {sources[0]}" if len(sources) == 1 else f"Analysis of {len(sources)} sources"
    report = judges.report(title, judged, using, threshold)
    if path is not None or update_baseline:
        report = _apply_baseline(report, path or Path(DEFAULT_BASELINE), plan, update=update_baseline)
    emit(report, format, output, force=force)
    return report.exit_code


def _judged(sources: Sequence[str], panel: judges.Panel, jobs: int) -> Iterator[judges.Judged]:
    from mcptest import analyzers

    results = analyzers.each(sources, analyzers.Job(panel, panel.plan), jobs)
    for _, judged in _with_progress(results, len(sources)):
        yield judged


def _with_progress(results: Iterator[Any], total: int) -> Iterator[Any]:
    """A bar on stderr, where somebody sees it and there is something to wait for."""
    import sys

    from mcptest.cli.terminal import is_terminal

    if total < 2 or not is_terminal(sys.stderr):
        yield from results
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(results, "analysing", total, console=Console(stderr=True), transient=True)


def _apply_baseline(report: Report, path: Path, plan: Plan, *, update: bool) -> Report:
    from mcptest import baseline

    known = [*judges.known_lint(plan), *judges.known_spec()]
    if update:
        entries = baseline.update(report, baseline.load(path) if path.exists() else [], known)
        replace(path, baseline.dump(entries))
        complain(f"{path}: {len(entries)} findings accepted; say in each entry why")
    return baseline.apply(report, baseline.load(path), known)
