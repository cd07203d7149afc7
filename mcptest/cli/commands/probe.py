"""Send a server bad requests on purpose, and see whether it refuses them cleanly.

Each probe spoils a request in a known way: an argument left out, of the wrong type, far too large. A sound server
refuses it with an error; to accept it silently, to crash and to hang are three different failures. After each probe the
server must still answer a good request; after a crash it is started again.

Five probes run unless --check names others; `docs/probes` has a page for each. Good arguments to spoil come from a
recording, else they are made up. The traffic is recorded, and rules of the specification that the recording left
untested are judged by it.

Probing executes real tool calls: mutating tools are called once at most, destructive ones only with
--execute-destructive. Cleaning up what calls have changed is yours to do.

Exit code: 0 all passed, 1 a probe failed, 2 bad input, 3 the target could not be reached, 5 the policy refused all
there was to call.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mcptest.capture import locate
from mcptest.cli import output as outputs
from mcptest.cli.dashes import behind
from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.probing import SessionArgument, ToolOption, given, keeping, newly_judged, reproducing
from mcptest.cli.progress import counting
from mcptest.cli.reporting import ReportFormatOption, ReportOutputOption, emit
from mcptest.cli.targets import (
    BearerOption,
    CallDelayOption,
    ConcurrencyOption,
    DestructiveOption,
    HeaderOption,
    MaxCallsOption,
    UrlOption,
    chosen,
    live,
    policy,
)
from mcptest.cli.terminal import wants_colour

if TYPE_CHECKING:
    from mcptest.probes import Result


def run(
    context: typer.Context,
    session: SessionArgument = None,
    url: UrlOption = None,
    header: HeaderOption = None,
    bearer_env: BearerOption = None,
    tool: ToolOption = None,
    check: Annotated[
        list[str] | None,
        typer.Option("--check", metavar="NAME", help="Run this probe; all for every one there is. Repeatable."),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="How long each bad request may take.")
    ] = 10.0,
    revision: Annotated[
        str | None, typer.Option("--spec", metavar="REVISION", help="Speak this revision. [the newest it knows]")
    ] = None,
    capture: CaptureOption = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
    execute_destructive: DestructiveOption = False,
    max_calls: MaxCallsOption = None,
    concurrency: ConcurrencyOption = 2,
    call_delay: CallDelayOption = 100,
) -> int:
    from mcptest.cli.probe_view import probe_lines
    from mcptest.live import Manner
    from mcptest.policy import Gate
    from mcptest.probes import CHECKS, Probed, Settings, Visits, exit_code, known, probe_all, probe_report
    from mcptest.report import suffix_format

    target = chosen(behind(context), url, header, bearer_env)
    checks = known(CHECKS if check == ["all"] else check)
    place = locate(capture)
    found = given(session, place)
    rules = policy(execute_destructive, max_calls, concurrency, call_delay)

    async def probed() -> Probed:
        gate = Gate(rules, http=target.is_http)
        kept = keeping(place, "probe", target, found)
        with counting("probing") as begin:
            async with Visits(target, Manner(revision), keeping=kept) as visits:
                return await probe_all(
                    visits,
                    found.bases,
                    checks,
                    Settings(timeout),
                    gate,
                    only=tool or (),
                    begin=lambda planned: begin(planned.steps),
                )

    result = live(probed())

    def reproduce(one: Result) -> str:
        more = ["--tool", one.tool] if one.tool is not None else []
        more += ["--check", one.check]
        more += ["--timeout", f"{timeout:g}"] if timeout != 10.0 else []
        more += ["--spec", revision] if revision is not None else []
        return reproducing("probe", session, found, target, capture, *more)

    notes = newly_judged(found, result.sessions, place)
    named = output if output not in (None, outputs.STDOUT) else None
    chosen_format = format or (suffix_format(named) if named else None) or "text"
    if chosen_format == "text":
        with outputs.opened(output, force=force) as sink:
            colour = named is None and wants_colour(sys.stdout)
            sink.write("".join(f"{line}\n" for line in probe_lines(result.reports, reproduce, notes, colour=colour)))
    else:
        by_case = chosen_format == "junit"
        report = probe_report(result.reports, str(target), reproduce, notes=notes, by_case=by_case)
        emit(report, chosen_format, output, force=force)
    return exit_code(result.reports)


SPLIT = [run]
