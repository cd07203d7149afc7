"""For people at a terminal: findings by subject, then what the rules came to, then one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from mcptest.findings import Finding, Report, Severity, Status, Verdict
from mcptest.report.layout import (
    by_subject,
    count,
    gravest_first,
    is_change,
    label,
    place,
    rule_tally,
    subject,
    tally,
    with_status,
)
from mcptest.visible import visible

SUFFIXES = (".txt",)
COLOURED = True

_STYLES = {Severity.CRITICAL: "1;35", Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_BOLD, _DIM, _GREEN, _RED = "1", "2", "32", "31"
_LABEL = 8
_MOST_UNTESTED = 12


Paint = Callable[[str, str], str]


def render(report: Report, *, colour: bool = False) -> str:
    lines = _lines(report, _painted if colour else _plain)
    return "".join(line.rstrip() + "\n" for line in lines)


def _painted(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"


def _plain(text: str, _: str) -> str:
    return text


def _lines(report: Report, paint: Paint) -> Iterator[str]:
    if is_change(report):
        yield from _changes(report, paint)
    else:
        yield from _findings(report, paint)
    for status in (Status.CRASHED, Status.INCONCLUSIVE):
        for verdict in with_status(report, status):
            style = _RED if status is Status.CRASHED else _DIM
            yield f"{paint(f'{verdict.rule} {status.value}', style)}: {visible(verdict.reason or '')}"
    untested = with_status(report, Status.UNTESTED)
    if untested:
        yield paint("untested: ", _DIM) + _untested(untested)
    for entry in report.stale:
        where = f" at {entry.within}" if entry.within else ""
        text = visible(f"the baseline accepts {entry.rule} on {entry.subject}{where}, which is not found any more")
        yield f"{paint('stale', _RED)}: {text}: remove the entry"
    yield from _end(report, paint)


def _untested(verdicts: Sequence[Verdict]) -> str:
    """Each with its reason or, where there are many, how many of each family."""
    if len(verdicts) <= _MOST_UNTESTED:
        return ", ".join(f"{verdict.rule} ({verdict.reason})" for verdict in verdicts)
    families = Counter(verdict.rule.rpartition("-")[0] for verdict in verdicts)
    counted = ", ".join(f"{family} {number}" for family, number in families.items())
    return f"{counted} (--format markdown or json tells each one's reason)"


def _findings(report: Report, paint: Paint) -> Iterator[str]:
    source = None
    widest = max((len(finding.rule) for finding in report.findings), default=0)
    for name, who, found in by_subject(report.findings):
        if name != source and len(report.sources) > 1:
            yield paint(visible(name), _BOLD + ";4")
            yield ""
        source = name
        yield paint(who, _BOLD)
        shown: set[str] = set()
        for finding in found:
            name = paint(label(finding).ljust(_LABEL), _STYLES[finding.severity])
            where = paint(f"{place(finding)} {visible(finding.within)}", _DIM)
            yield f"  {name} {finding.rule:<{widest}} {visible(finding.message)}  {where}"
            if finding.rule not in shown and finding.severity >= Severity.WARNING:
                shown.add(finding.rule)
                yield from (paint(f"      {line}", _DIM) for line in _command(finding))
        yield ""


def _command(finding: Finding) -> Iterator[str]:
    """The HTTP exchange that a finding is about, to be tried by hand; one of each rule is enough."""
    excerpt = finding.evidence.excerpt or ""
    if excerpt.startswith("curl "):
        yield from map(visible, excerpt.split("\n"))


def _changes(report: Report, paint: Paint) -> Iterator[str]:
    title = ""
    widest = max((len(finding.rule) for finding in report.findings), default=0)
    for finding in gravest_first(report.findings):
        if label(finding) != title:
            yield from ("",) if title else ()
            title = label(finding)
            yield paint(title, f"{_BOLD};{_STYLES[finding.severity]}")
        prefix = "" if finding.rule.startswith("entry-") else f"{subject(finding)}: "
        where = paint(f"{place(finding)} {visible(finding.within)}", _DIM)
        yield f"  {finding.rule:<{widest}}  {visible(prefix + finding.message)}  {where}"
    yield from ("",) if title else ()


def _end(report: Report, paint: Paint) -> Iterator[str]:
    if report.accepted:
        yield f"{count(len(report.accepted), 'finding')} accepted by the baseline"
    yield from map(visible, report.notes)
    text = tally(report)
    if not is_change(report):
        text += f" ({rule_tally(report)})"
    yield paint(text, _RED if report.exit_code else _GREEN)
    for gate in report.gates:
        yield paint(visible(gate.line), _GREEN if gate.passed else _RED)
