"""A diagnosis for people: what breaks, what is deprecated, what to do about each, and what the session cannot tell."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mcptest.cli.terminal import escape, paint

if TYPE_CHECKING:
    from mcptest.compliance import Ailment, Diagnosis

_TITLES = {"breaks": ("BREAKS", "red"), "advised": ("SHOULD CHANGE", "yellow"), "deprecated": ("DEPRECATED", "yellow")}
_VERBS = {
    "breaks": ("thing breaks", "things break"),
    "advised": ("should change", "should change"),
    "deprecated": ("is deprecated", "are deprecated"),
}
_INDENT = " " * 4
_LABEL = len("server: ")

Paint = Callable[[str, str], str]


def lines(diagnosis: Diagnosis, *, colour: bool, columns: int) -> Iterator[str]:
    brush: Paint = paint if colour else lambda text, _: text
    yield f"{escape(diagnosis.name)}: {diagnosis.from_} → {diagnosis.to}"
    for effect, (title, shade) in _TITLES.items():
        found = [one for one in diagnosis.ailments if one.effect == effect]
        if found:
            yield ""
            yield brush(title, shade)
        for ailment in found:
            yield from _ailment(ailment, brush, columns)
    yield ""
    yield from _rest(diagnosis, columns)
    yield _summary(diagnosis, brush)


def _ailment(ailment: Ailment, brush: Paint, columns: int) -> Iterator[str]:
    already = " (broken today already)" if ailment.already else ""
    yield from _wrapped(f"{ailment.name}: {ailment.title}{already}", "  ", _INDENT, columns)
    of = f" of {ailment.source}" if ailment.source else ""
    frames = f" [frame {', '.join(map(str, ailment.frames))}{of}]" if ailment.frames else ""
    seen = _wrapped(f"seen: {ailment.seen}{frames}", _INDENT, _INDENT + " " * len("seen: "), columns)
    yield from (brush(line, "dim") for line in seen)
    for side, text in ailment.todo.items():
        yield from _wrapped(f"{side}: {text}", _INDENT, _INDENT + " " * _LABEL, columns)
    yield brush(f"{_INDENT}{ailment.url}", "dim")


def _rest(diagnosis: Diagnosis, columns: int) -> Iterator[str]:
    for name, check in diagnosis.checks.items():
        yield from _wrapped(f"{name}: {check.status}: {check.text}", "", "  ", columns)
    for verdict in diagnosis.crashed:
        yield from _wrapped(f"{verdict.rule} crashed: {verdict.reason}", "", "  ", columns)
    if diagnosis.sound:
        yield f"kept: {_count(len(diagnosis.sound), 'new or changed rule')}"
    if diagnosis.untested:
        families = Counter(rule.rpartition("-")[0] for rule in diagnosis.untested)
        counted = ", ".join(f"{family} {number}" for family, number in families.items())
        number = _count(len(diagnosis.untested), "new or changed rule")
        yield from _wrapped(f"open: {number} that this session cannot show: {counted}", "", "  ", columns)


def _summary(diagnosis: Diagnosis, brush: Paint) -> str:
    numbers = Counter(ailment.effect.value for ailment in diagnosis.ailments)
    if not numbers:
        return brush(f"nothing in this session stands in the way of {diagnosis.to}", "green")
    parts = [f"{numbers[effect]} {_VERBS[effect][numbers[effect] > 1]}" for effect in _TITLES if numbers[effect]]
    return brush(f"moving to {diagnosis.to}: {', '.join(parts)}", "red" if numbers["breaks"] else "yellow")


def _wrapped(text: str, first: str, later: str, columns: int) -> Sequence[str]:
    return textwrap.wrap(
        escape(text),
        columns,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
