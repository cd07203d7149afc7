"""One self-contained page: no script at all, nothing loaded from elsewhere, and a policy that forbids both."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from importlib import resources

from mcptest import __version__
from mcptest.findings import Finding, Report, Severity, Status, Verdict
from mcptest.report.layout import by_subject, count, gravest_first, is_change, label, limit, place, rule_tally, tally
from mcptest.visible import visible

SUFFIXES = (".html", ".htm")

_OPEN = 12  # groups that are unfolded at first
_RING = 100.53  # the circumference of a circle with radius 16


@cache
def _style() -> str:
    return resources.files("mcptest.report").joinpath("html.css").read_text(encoding="utf-8")


def render(report: Report) -> str:
    return "".join(part + "\n" for part in _page(report))


def _page(report: Report) -> Iterator[str]:
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{_safe(report.title)}</title>"
    yield f"<style>{_style()}</style></head><body>"
    yield from _header(report)
    yield "<main>"
    yield from _stats(report)
    yield from (_changes(report) if is_change(report) else _findings(report))
    yield from _stale(report)
    yield from _accepted(report)
    if not is_change(report):
        yield from _rules(report)
    yield f"<footer>mcptest {_safe(__version__)}</footer></main></body></html>"


def _header(report: Report) -> Iterator[str]:
    good = report.exit_code == 0
    crashed = any(verdict.status is Status.CRASHED for verdict in report.verdicts)
    only_gates = not report._replace(gates=()).failing
    reason = "a gate does not hold" if only_gates else limit(report)
    word = "passed" if good else "a rule crashed" if crashed else f"failed: {reason}"
    sources = ", ".join(f"<code>{_safe(source)}</code>" for source in report.sources[:8])
    more = f" and {len(report.sources) - 8} more" if len(report.sources) > 8 else ""
    yield '<header><div class="inner"><div class="brand"><b>mcptest</b> report</div>'
    yield f"<h1>{_safe(report.title)}</h1>"
    yield f'<span class="outcome {"good" if good else "bad"}">{word}</span>'
    yield f'<p class="sources">{_safe(tally(report))} · {sources}{more}</p>'
    for line in (*(gate.line for gate in report.gates), *report.notes):
        yield f'<p class="sources">{_safe(line)}</p>'
    yield "</div></header>"


def _stats(report: Report) -> Iterator[str]:
    yield '<section class="stats">'
    if is_change(report):
        names = [label(finding) for finding in report.findings]
        for name in ("breaking", "risky", "safe"):
            yield _stat(names.count(name), name, name)
    else:
        for severity, number in report.counts.items():
            yield _stat(number, severity.label, severity.label)
        scores = [score for tools in report.scores.values() for score in tools.values()]
        if scores:
            mean = sum(scores) / len(scores)
            yield f'<div class="stat {_tone(mean)}"><b>{mean:.2f}</b><span>mean tool score</span></div>'
    yield "</section>"


def _stat(number: int, name: str, tone: str) -> str:
    return f'<div class="stat {tone}{"" if number else " zero"}"><b>{number}</b><span>{name}</span></div>'


def _findings(report: Report) -> Iterator[str]:
    yield '<div class="filter"><h2>Findings</h2>'
    for severity in report.counts:
        name = severity.label
        yield f'<label class="{name}"><input type="checkbox" id="show-{name}" checked>{name}</label>'
    yield "</div>"
    groups = by_subject(report.findings)
    if not groups:
        yield f'<div class="panel empty"><b>Nothing to complain about</b>{_safe(rule_tally(report))}</div>'
    for number, (source, _, found) in enumerate(groups):
        first = found[0]
        name = f'<span class="kind">{_safe(first.kind)}</span><span class="name">{_safe(first.subject)}</span>'
        if len(report.sources) > 1:
            name += f" <code>{_safe(source)}</code>"
        score = report.scores.get(source, {}).get(first.subject) if first.kind == "tool" else None
        yield f"<details{' open' if number < _OPEN else ''}><summary>{_ring(score)}<span>{name}</span>"
        yield f'<span class="right">{_pills(found)}</span></summary>'
        yield from _list(found)
        yield "</details>"


def _changes(report: Report) -> Iterator[str]:
    if not report.findings:
        yield '<h2>Changes</h2><div class="panel empty"><b>No changes</b>Both sides offer the same.</div>'
    for name in ("breaking", "risky", "safe"):
        found = [finding for finding in gravest_first(report.findings) if label(finding) == name]
        if found:
            yield f"<h2>{name.capitalize()}</h2><details open><summary>{_counted(len(found), 'change')}</summary>"
            yield from _list(found, subjects=True)
            yield "</details>"


def _counted(number: int, noun: str) -> str:
    return f'<span class="name">{count(number, noun)}</span>'


def _list(findings: Iterable[Finding], *, subjects: bool = False) -> Iterator[str]:
    yield f'<ul class="findings{" wide" if subjects else ""}">'
    for finding in findings:
        name = label(finding)
        who = f"<b>{_safe(finding.kind)} {_safe(finding.subject)}</b>: " if subjects else ""
        yield (
            f'<li class="{_safe(name)}"><span class="pill {_safe(name)}">{_safe(name)}</span>'
            f'<span class="rule mono">{_rule(finding.rule, linked=not subjects)}</span>'
            f"<span>{who}{_safe(finding.message)}</span>"
            f'<span class="where mono">{_safe(place(finding))}{_pointer(finding)}</span></li>'
        )
    yield "</ul>"


def _rule(name: str, *, linked: bool) -> str:
    return f'<a href="#{_safe(name)}">{_safe(name)}</a>' if linked else _safe(name)


def _pointer(finding: Finding) -> str:
    return f" · {_safe(finding.evidence.pointer)}" if finding.evidence.pointer else ""


def _pills(findings: Sequence[Finding]) -> str:
    found = [finding.severity for finding in findings]
    return "".join(
        f'<span class="pill {severity.label}" title="{severity.label}">{found.count(severity)}</span>'
        for severity in sorted(Severity, reverse=True)
        if severity in found
    )


def _ring(score: float | None) -> str:
    if score is None:
        return ""
    return (
        f'<svg class="ring {_tone(score)}" width="40" height="40" viewBox="0 0 40 40" role="img" '
        f'aria-label="score {score:.2f}"><circle class="track" cx="20" cy="20" r="16" fill="none" stroke-width="4"/>'
        f'<circle class="value" cx="20" cy="20" r="16" fill="none" stroke-width="4" stroke-linecap="round" '
        f'stroke-dasharray="{score * _RING:.1f} {_RING}" transform="rotate(-90 20 20)"/>'
        f'<text x="20" y="24">{score * 100:.0f}</text></svg>'
    )


def _tone(score: float) -> str:
    return "good" if score >= 0.8 else "warning" if score >= 0.5 else "error"


def _stale(report: Report) -> Iterator[str]:
    if report.stale:
        yield '<h2>Stale baseline entries</h2><div class="panel"><table>'
        yield "<tr><th>rule</th><th>subject</th><th>reason</th></tr>"
        for entry in report.stale:
            where = f" <code>{_safe(entry.within)}</code>" if entry.within else ""
            yield f"<tr><td>{_safe(entry.rule)}</td><td>{_safe(entry.subject)}{where}</td>"
            yield f"<td>{_safe(entry.reason)}</td></tr>"
        yield "</table></div>"


def _accepted(report: Report) -> Iterator[str]:
    if report.accepted:
        yield "<h2>Accepted by the baseline</h2><details>"
        yield f"<summary>{_counted(len(report.accepted), 'finding')}</summary>"
        yield '<ul class="findings">'
        for finding in report.accepted:
            yield (
                f'<li class="accepted"><span class="pill">{_safe(label(finding))}</span>'
                f'<span class="rule mono">{_safe(finding.rule)}</span>'
                f"<span><b>{_safe(finding.kind)} {_safe(finding.subject)}</b>: {_safe(finding.message)}</span>"
                f'<span class="where">{_safe(str(finding.data.get("reason", "")))}</span></li>'
            )
        yield "</ul></details>"


def _rules(report: Report) -> Iterator[str]:
    yield '<h2>Rules</h2><div class="panel">'
    yield _bar(report.verdicts)
    yield '<p class="legend">'
    for status in Status:
        number = sum(verdict.status is status for verdict in report.verdicts)
        if number:
            yield f'<span class="{status.value}"><i></i>{number} {status.value}</span>'
    yield "</p><table><tr><th>rule</th><th></th><th>verdict</th><th>with findings</th></tr>"
    for verdict in report.verdicts:
        rule = report.rules.get(verdict.rule)
        notes = [verdict.reason] if verdict.reason else []
        notes += [rule.help] if rule and verdict.findings else []
        summary = _safe(rule.summary) if rule else ""
        help_text = "".join(f'<div class="help">{_prose(note)}</div>' for note in notes)
        yield (
            f'<tr id="{_safe(verdict.rule)}"><td class="mono nowrap">{_safe(verdict.rule)}</td>'
            f"<td>{summary}{help_text}</td>"
            f'<td><span class="pill {verdict.status.value}">{verdict.status.value}</span></td>'
            f'<td class="nowrap">{_safe(verdict.counts) if verdict.checked else "–"}</td></tr>'
        )
    yield "</table></div>"


def _bar(verdicts: Sequence[Verdict]) -> str:
    """How the rules came out, as one line of proportional stretches."""
    total = len(verdicts) or 1
    stretches, at = [], 0.0
    for status in Status:
        share = 100 * sum(verdict.status is status for verdict in verdicts) / total
        if share:
            stretches.append(f'<rect class="{status.value}" x="{at:.2f}" y="0" width="{share:.2f}" height="4"/>')
        at += share
    return (
        f'<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">{"".join(stretches)}</svg>'
    )


def _prose(text: str) -> str:
    """A rule's own help: plain text with words in backquotes as code."""
    pieces = _safe(" ".join(text.split())).split("`")
    return "".join(f"<code>{piece}</code>" if number % 2 else piece for number, piece in enumerate(pieces))


def _safe(text: str) -> str:
    return escape(visible(text), quote=True)
