"""What is checked in each revision, for people: how many rules in which way, and, in Markdown, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator

from mcptest.cli.versions_view import prose
from mcptest.compliance import Coverage, Way

_HEADS = ("revision", "rules", "checked offline", "given the stimulus", "by probe", "not observable", "not yet")
_MARKS = {Way.CAPTURE: "✓", Way.STIMULUS: "✓ s", Way.PROBE: "probe", Way.NEVER: "—", Way.PENDING: "not yet"}


def pretty(found: Coverage) -> Iterator[str]:
    rows = [_HEADS, *([revision, *map(str, found.counts(revision))] for revision in found.revisions)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_HEADS))]
    for row in rows:
        name, *numbers = row
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        yield "  ".join([name.ljust(widths[0]), *cells]).rstrip()


def counts(found: Coverage) -> Iterator[str]:
    """The counts as a table in Markdown."""
    yield f"| {' | '.join(_HEADS)} |"
    yield "|---" + "|---:" * (len(_HEADS) - 1) + "|"
    for revision in found.revisions:
        yield f"| {revision} | {' | '.join(map(str, found.counts(revision)))} |"


def markdown(found: Coverage, page: str = "") -> Iterator[str]:
    """All of it. `page` is where the rules' own pages are, with a slash at the end; without it nothing is linked."""
    yield from counts(found)
    yield ""
    marks = (
        "✓ checked in any capture",
        "✓ s checked where a capture holds what triggers it",
        "probe: needs an active probe",
        "— not observable",
    )
    yield f"{'; '.join(marks)}. An empty cell: the revision does not have the rule."
    for family, lines in found.families():
        yield ""
        yield f"## {family}"
        yield ""
        yield f"| rule | what it demands | {' | '.join(found.revisions)} |"
        yield "|---|---|" + ":---:|" * len(found.revisions)
        for line in lines:
            name = f"[{line.rule}]({page}{line.rule}.md)" if page else line.rule
            cells = [_MARKS[line.ways[one]] if one in line.ways else "" for one in found.revisions]
            why = f" *{prose(line.why)}*" if line.why else ""
            yield f"| {name} | {prose(line.text)}{why} | {' | '.join(cells)} |"
