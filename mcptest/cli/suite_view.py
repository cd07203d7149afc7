"""A run of a suite for people: a line for each test, what was amiss below it, and what came of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcptest.cli.terminal import escape, paint
from mcptest.suites import Result, Run, Status

_MARKS = {Status.PASSED: ("PASS", "green"), Status.FAILED: ("FAIL", "red"), Status.SKIPPED: ("SKIP", "yellow")}
_MOST_DETAILS = 12

Paint = Callable[[str, str], str]


def lines(run: Run, *, colour: bool) -> Iterator[str]:
    brush: Paint = paint if colour else lambda text, _: text
    for result in run.results:
        mark, tint = _MARKS[result.status]
        took = f"  {result.seconds * 1000:.0f} ms" if result.status is not Status.SKIPPED else ""
        yield f"{brush(mark, tint)}  {escape(result.entry.id)}{took}"
        yield from (f"      {line}" for line in _below(run, result))
    yield ""
    if run.unreachable is not None:
        yield brush(f"a server could not be reached: {escape(run.unreachable)}", "red")
    for server, sessions in run.sessions.items():
        if sessions:
            yield f"{escape(server)}: recorded as {', '.join(sessions)}"
    yield brush(_summary(run), "red" if run.count(Status.FAILED) or run.unreachable else "green")


def _below(run: Run, result: Result) -> Iterator[str]:
    if result.status is Status.PASSED:
        return
    if result.reason is not None:
        yield escape(f"{'refused' if result.refused else 'skipped'}: {result.reason}")
    for failure in result.failures:
        yield escape(f"{run.suite.path}:{failure.line}:{failure.column}: {failure.message}")
    for detail in result.details[:_MOST_DETAILS]:
        yield escape(f"  {detail}")
    if len(result.details) > _MOST_DETAILS:
        yield f"  … and {len(result.details) - _MOST_DETAILS} more"
    yield escape(f"run it alone: {run.suite.alone(result.entry)}")


def _summary(run: Run) -> str:
    number = len(run.results)
    counted = ", ".join(f"{run.count(status)} {status.value}" for status in Status if run.count(status))
    return f"{number} {'test' if number == 1 else 'tests'}: {counted} in {run.seconds:.2f} s"
