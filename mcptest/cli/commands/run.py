"""Run a suite: the tests of a YAML file, against the servers that it names.

Without a file, mcptest.yml in this folder. All of it is checked before anything is started. Servers are started once,
tests run side by side, those marked `serial` alone; everything said is recorded. Each test that failed or was skipped
says why, and how to run it alone.

Calls are real. The safety policy lets a mutating tool be called as often as the suite says, and a destructive one only
with --execute-destructive; what it refuses is skipped. Cleaning up what calls have changed is yours to do.

Exit code: 0 all passed, 1 a test failed, 2 a mistake in the suite or no test selected, 3 a server could not be reached,
5 the policy refused all there was to run.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mcptest.capture import locate
from mcptest.cli import output as outputs
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.progress import counting
from mcptest.cli.reporting import ReportFormatOption, ReportOutputOption, emit
from mcptest.cli.targets import (
    CallDelayOption,
    ConcurrencyOption,
    DestructiveOption,
    MaxCallsOption,
    live,
    policy,
)
from mcptest.cli.terminal import wants_colour
from mcptest.errors import UsageError

if TYPE_CHECKING:
    from mcptest.suites import Run

SuiteArgument = Annotated[str | None, typer.Argument(metavar="[SUITE]", help="The suite's file. [mcptest.yml]")]


def run(
    suite: SuiteArgument = None,
    filter: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", metavar="PATTERN", help="Only tests whose name fits, e.g. 'search*' or 'tools/*'. Repeatable."
        ),
    ] = None,
    capture: CaptureOption = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
    fault_coverage: Annotated[
        bool, typer.Option("--fault-coverage", help="Also tell which classes of faults the tests exercised.")
    ] = False,
    update_snapshots: Annotated[
        bool,
        typer.Option("--update-snapshots", help="Accept what is seen as new snapshots; refused where CI=true."),
    ] = False,
    execute_destructive: DestructiveOption = False,
    max_calls: MaxCallsOption = None,
    concurrency: ConcurrencyOption = 2,
    call_delay: CallDelayOption = 100,
) -> int:
    from mcptest import suites

    if update_snapshots and os.environ.get("CI", "").lower() in ("true", "1"):
        raise UsageError("--update-snapshots is refused where CI=true: what a build sees is not what it expects")
    found = suites.load(suites.find(suite))
    chosen = suites.select(found, filter or [])
    setting = suites.Setting(
        policy(execute_destructive, max_calls, concurrency, call_delay), locate(capture), update_snapshots, complain
    )
    with counting("tests") as begin:
        step = begin(len(chosen))
        done = live(suites.run(found, chosen, setting, progress=lambda _: step()))
    for name in done.written:
        complain(f"snapshot written: {name}")
    _tell(done, format, output, force=force, coverage=fault_coverage)
    return suites.exit_code(done)


def _tell(done: Run, format: str | None, output: str | None, *, force: bool, coverage: bool) -> None:
    from mcptest.cli.suite_view import lines
    from mcptest.report import suffix_format
    from mcptest.suites import fault_lines, report

    chosen = format or (suffix_format(output) if output not in (None, outputs.STDOUT) else None) or "text"
    notes = tuple(fault_lines(done.results)) if coverage else ()
    if chosen != "text":
        emit(report(done, notes), chosen, output, force=force)
        return
    with outputs.opened(output, force=force) as sink:
        colour = output in (None, outputs.STDOUT) and wants_colour(sys.stdout)
        sink.write("".join(line + "\n" for line in (*lines(done, colour=colour), *notes)))
