"""Check that every tool's input schema constrains its input, and tighten it on request.

Reads a recorded session, an export or a capture, or a file with a tools/list result, a JSON-RPC response that holds
one, or an array of tools; `-` is standard input. Exits with 1 if there is a finding. With --fix it prints the
catalogue with `additionalProperties: false` and `required` set on every under-constrained object, and changes nothing
else in the text.
"""

from __future__ import annotations

from typing import Annotated

import typer

from mcptest.cli import output as outputs
from mcptest.cli.guard import complain
from mcptest.cli.judges import for_lint, known_lint
from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.reporting import (
    SEVERITIES,
    ReportFormatOption,
    ReportOutputOption,
    SourceArgument,
    emit,
    replace,
    severity,
    use_capture,
)
from mcptest.cli.terminal import escape_json, escape_lines, is_terminal
from mcptest.errors import UsageError
from mcptest.findings import Severity

FAMILIES = ("SCH", "CAT")


def run(
    source: SourceArgument,
    capture: CaptureOption = None,
    fix: Annotated[bool, typer.Option("--fix", help="Print the tightened catalogue instead of findings.")] = False,
    write: Annotated[bool, typer.Option("--write", help="With --fix: tighten the file in place.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="With --fix: show what would change, as a diff.")] = False,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar=SEVERITIES, help="Exit with 1 from this severity on (default warning)."),
    ] = None,
) -> int:
    use_capture(capture)
    if (write or diff) and not fix:
        raise UsageError("--write and --diff go with --fix")
    if write and diff:
        raise UsageError("--diff shows what --write would do: give one of them")
    if not fix:
        return _lint(source, format, output, force=force, fail_on=severity(fail_on, Severity.WARNING))
    if format or fail_on:
        raise UsageError("--fix prints a catalogue, not a report: leave --format and --fail-on out")
    return _fix(source, output, force=force, write=write, diff=diff)


def _lint(source: str, format: str | None, output: str | None, *, force: bool, fail_on: Severity) -> int:
    from mcptest import analyzers, config

    plan = analyzers.plan(config.load())
    plan = for_lint(plan._replace(select=FAMILIES), known_lint(plan))  # what is ignored may be another judge's
    using = analyzers.load_rules(plan)
    report = analyzers.report(f"Schema lint of {source}", [analyzers.analyse(source, using)], using, fail_on)
    emit(report._replace(scores={}), format, output, force=force)
    return report.exit_code


def _fix(source: str, output: str | None, *, force: bool, write: bool, diff: bool) -> int:
    import sys
    from pathlib import Path

    from mcptest import analyzers

    before = analyzers.document(source)
    fixed = analyzers.fix(before, source)
    for name in fixed.skipped:
        complain(f"warning: the schema of tool {name!r} is over budget and was left alone")
    if write:
        if source == "-" or output is not None or analyzers.is_recorded(source):
            raise UsageError(
                "--write changes the file that was read: it goes neither with - nor with -o, nor with a recording"
            )
        if fixed.text != before:
            replace(Path(source), fixed.text)
        count = len(fixed.changed)
        complain(f"{source}: {count or 'no'} tool{'' if count == 1 else 's'} tightened")
        return 0
    text = fixed.text
    shown = output is None and is_terminal(sys.stdout)
    if diff:
        text = _diff(before, fixed.text, source)
        text = escape_lines(text) if shown else text
    elif shown:
        text = escape_json(text)
    with outputs.opened(output, force=force) as sink:
        sink.write(text)
    return 0


def _diff(before: str, after: str, name: str) -> str:
    from difflib import unified_diff

    lines = unified_diff(before.splitlines(True), after.splitlines(True), name, f"{name} (tightened)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
