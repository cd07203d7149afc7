"""Probes and fuzzing for people: what failed with a line to show it again, then a table of all, then what it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from mcptest.cli.terminal import escape, paint
from mcptest.probes import Flaw, FuzzFailure, FuzzReport, ProbeReport, Result, Verdict, shown

_COLOURS = {Verdict.PASSED: "green", Verdict.SKIPPED: "dim", Verdict.REFUSED: "yellow"}
_WORDS = {
    Verdict.PASSED: "passed",
    Verdict.ACCEPTED: "accepted",
    Verdict.VIOLATED: "violated",
    Verdict.CRASHED: "crashed",
    Verdict.HUNG: "hung",
    Verdict.SKIPPED: "skipped",
    Verdict.REFUSED: "refused",
}
_LONGEST = 300

Paint = Callable[[str, str], str]


def probe_lines(
    reports: Sequence[ProbeReport], reproduce: Callable[[Result], str], notes: Sequence[str], *, colour: bool
) -> Iterator[str]:
    brush: Paint = paint if colour else lambda text, _: text
    results = [result for report in reports for result in report.results]
    width = max((len(result.check) for result in results), default=0)
    for report in reports:
        yield escape(report.tool) if report.tool is not None else "the server itself"
        for result in report.results:
            word = brush(f"{_WORDS[result.verdict]:8}", _COLOURS.get(result.verdict, "red"))
            yield f"  {result.check:{width}}  {word}  {escape(result.evidence[:_LONGEST])}"
            if result.verdict.failed:
                yield f"  {'':{width}}  {result.taxonomy}; again: {escape(reproduce(result))}"
    yield from _closing(notes)
    counts = Counter(_WORDS[result.verdict] for result in results)
    told = ", ".join(f"{counts[word]} {word}" for word in _WORDS.values() if counts[word]) or "nothing to probe"
    tools = len({result.tool for result in results if result.tool is not None})
    yield f"{sum(report.checks_run for report in reports)} probes of {tools} tools: {told}"


def fuzz_lines(
    reports: Sequence[FuzzReport], reproduce: Callable[[str, FuzzFailure], str], notes: Sequence[str], *, colour: bool
) -> Iterator[str]:
    brush: Paint = paint if colour else lambda text, _: text
    for report in reports:
        if not report.cases_run:
            yield f"{escape(report.tool)}: {brush('skipped', 'yellow')}, {escape(report.skipped or 'nothing to call')}"
            continue
        found = ", ".join(
            f"{report.count(flaw)} × {flaw.value.replace('_', ' ')}" for flaw in Flaw if report.count(flaw)
        )
        word = brush(found, "red") if found else brush("clean", "green")
        more = f"; {escape(report.skipped)}" if report.skipped else ""
        yield f"{escape(report.tool)}: {report.cases_run} cases, {word}{more}"
        for failure in report.failures:
            yield f"  {failure.flaw.value} with {escape(shown(failure.arguments))}"
            yield f"    {escape(failure.evidence[:_LONGEST])}"
            if not failure.stable:
                yield "    the same arguments alone did not show it again"
            yield f"    again: {escape(reproduce(report.tool, failure))}"
        if report.accepted_invalid:
            yield f"  {report.accepted_invalid} arguments against the input schema were accepted: see mcptest probe"
    yield from _closing(notes)
    cases, ran = sum(report.cases_run for report in reports), sum(bool(report.cases_run) for report in reports)
    flaws = sum(len(report.failures) for report in reports)
    seeds = ", ".join(sorted({str(report.seed) for report in reports})) or "none"
    found = "no flaws" if not flaws else "1 flaw" if flaws == 1 else f"{flaws} flaws"
    yield f"{cases} cases over {ran} of {len(reports)} tools, seed {seeds}: {found}"


def _closing(notes: Sequence[str]) -> Iterator[str]:
    if notes:
        yield ""
        yield from (escape(note[:_LONGEST]) for note in notes)
        yield ""
