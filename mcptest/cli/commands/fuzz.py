"""Call tools with arguments made from their input schemas, and look closely at how each call is answered.

Good, extreme and bad arguments, hundreds of them. Whether bad ones are refused is not judged here (`mcptest probe` does
that), but how every call is answered: crash, hang, protocol violation, and leak (a stack trace, the path of a source
file or a secret in an error text). A failure is shrunk to the smallest arguments that still show it. The same --seed
makes the same arguments.

Only tools that read are fuzzed: what changes something is not called again and again.

Exit code: 0 clean, 1 a flaw, 2 bad input, 3 the target could not be reached, 5 the policy refused all there was to
call.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

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
from mcptest.errors import UsageError

if TYPE_CHECKING:
    from mcptest.probes import FuzzFailure


def run(
    context: typer.Context,
    session: SessionArgument = None,
    url: UrlOption = None,
    header: HeaderOption = None,
    bearer_env: BearerOption = None,
    tool: ToolOption = None,
    cases: Annotated[
        int, typer.Option("--cases", min=1, metavar="N", help="Calls of each tool, before shrinking.")
    ] = 100,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed makes the same arguments.")] = 0,
    arguments: Annotated[
        str | None,
        typer.Option("--arguments", metavar="JSON", help="Try these arguments only, of the one --tool that is named."),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="How long each call may take.")
    ] = 5.0,
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
    from mcptest.cli.probe_view import fuzz_lines
    from mcptest.live import Manner
    from mcptest.policy import Gate
    from mcptest.probes import Fuzzed, FuzzSettings, Visits, exit_code, fuzz_all, fuzz_report, shown
    from mcptest.report import suffix_format

    target = chosen(behind(context), url, header, bearer_env)
    tried = _arguments(arguments, tool)
    place = locate(capture)
    found = given(session, place)
    rules = policy(execute_destructive, max_calls, concurrency, call_delay)
    settings = FuzzSettings(1 if tried is not None else cases, seed, timeout)

    async def fuzzed() -> Fuzzed:
        gate = Gate(rules, http=target.is_http)
        kept = keeping(place, "fuzz", target, found)
        with counting("fuzzing") as begin:
            async with Visits(target, Manner(revision), keeping=kept) as visits:
                return await fuzz_all(
                    visits,
                    found.bases,
                    settings,
                    gate,
                    only=tool or (),
                    arguments=tried,
                    begin=lambda planned: begin(planned.steps),
                )

    result = live(fuzzed())

    def reproduce(name: str, failure: FuzzFailure) -> str:
        more = ["--tool", name]
        if failure.stable:
            more += ["--arguments", shown(failure.arguments, most=100_000)]
        else:
            more += ["--cases", str(cases), "--seed", str(seed)]
        more += ["--timeout", f"{timeout:g}"] if timeout != 5.0 else []
        more += ["--spec", revision] if revision is not None else []
        return reproducing("fuzz", session, found, target, capture, *more)

    notes = newly_judged(found, result.sessions, place)
    named = output if output not in (None, outputs.STDOUT) else None
    chosen_format = format or (suffix_format(named) if named else None) or "text"
    if chosen_format == "text":
        with outputs.opened(output, force=force) as sink:
            colour = named is None and wants_colour(sys.stdout)
            sink.write("".join(f"{line}\n" for line in fuzz_lines(result.reports, reproduce, notes, colour=colour)))
    else:
        by_case = chosen_format == "junit"
        report = fuzz_report(result.reports, str(target), reproduce, notes=notes, by_case=by_case)
        emit(report, chosen_format, output, force=force)
    return exit_code(result.reports)


def _arguments(text: str | None, tools: list[str] | None) -> dict[str, Any] | None:
    if text is None:
        return None
    if len(tools or ()) != 1:
        raise UsageError("--arguments are those of one tool: name it with --tool")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--arguments are no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError('--arguments must be a JSON object, such as \'{"query": "x"}\'')
    return value


SPLIT = [run]
