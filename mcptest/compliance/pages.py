"""The page of each rule, made of what the corpora demand, the rule's own manual, and its fixture.

A fixture is Markdown (docs/compliance-rules.md describes it): cases under `## `, each with settings, one of them
`expect:`, and a transcript. A page shows one case in which the rule fires and one in which it is silent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from mcptest.compliance.corpora import Corpus, Demand
from mcptest.compliance.covering import way_of
from mcptest.compliance.judging import Book
from mcptest.errors import UsageError

_CASE = re.compile(r"^## (.+?)\n(.*?)^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SETTING = re.compile(r"^([\w-]+): (.+)$", re.MULTILINE)
_FIRES = ("error", "warning", "info")


class Case(NamedTuple):
    title: str
    settings: tuple[tuple[str, str], ...]
    transcript: str

    @property
    def outcomes(self) -> list[str]:
        """What is expected, in whichever revision."""
        return [value.split()[0] for key, value in self.settings if key == "expect" or key[:1].isdigit()]


def cases(markdown: str, name: str) -> list[Case]:
    found = [
        Case(title.strip(), tuple(_SETTING.findall(head)), transcript.rstrip("\n"))
        for title, head, transcript in _CASE.findall(markdown)
    ]
    if not found:
        raise UsageError(f"{name} has no case")
    return found


def rule_page(book: Book, rule: str, fixture: str | None) -> str:
    """The page of one rule; `fixture` is its Markdown, None for a rule that is not checked."""
    demands = [(corpus, corpus.demands[rule]) for corpus in book.corpora if rule in corpus.demands]
    newest = demands[-1][1]
    known = book.rules.get(rule)
    title = known.summary.rstrip(".") if known is not None else newest.text.rstrip(".")
    lines = [f"# {rule}: {title}", "", *([newest.text, ""] if known is not None else []), *_table(book, demands), ""]
    if newest.why is not None:
        lines += [f"Not checked from a capture: it {newest.why}.", ""]
    if known is not None and known.help:
        lines += ["## How it is judged", "", known.help, ""]
    if fixture is not None:
        found = cases(fixture, rule)
        lines += _example("Where it fires", next((one for one in found if _fires(one)), None))
        lines += _example("Where it is silent", next((one for one in found if "passed" in one.outcomes), None))
    return "\n".join(lines).rstrip("\n") + "\n"


def _fires(case: Case) -> bool:
    return any(outcome in _FIRES for outcome in case.outcomes)


def _table(book: Book, demands: list[tuple[Corpus, Demand]]) -> Iterator[str]:
    yield "| revision | level | binds | decided | parameters |"
    yield "|---|---|---|---|---|"
    for corpus, demand in demands:
        where = f" ({', '.join(demand.transport)})" if demand.transport else ""
        given = ", ".join(f"`{key}: {_value(value)}`" for key, value in demand.expect.items())
        name = f"[{corpus.name}]({corpus.url(demand.rule)})"
        yield f"| {name} | {demand.level} | {demand.binds}{where} | {way_of(book, demand).text} | {given} |"


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("|", "\\|")


def _example(title: str, case: Case | None) -> Iterator[str]:
    if case is None:
        return
    yield f"## {title}"
    yield ""
    yield f"{case.title}:"
    yield ""
    yield "```text"
    yield from (f"{key}: {value}" for key, value in case.settings)
    yield ""
    yield case.transcript
    yield "```"
    yield ""


def rules_index(book: Book) -> str:
    """The list of all rules, by family, in the words of the newest revision that has each."""
    newest: dict[str, Demand] = {}
    for corpus in book.corpora:
        newest.update(corpus.demands)
    families: dict[str, list[Demand]] = {}
    for rule in sorted(newest):
        families.setdefault(newest[rule].family, []).append(newest[rule])
    lines = [
        "# Compliance rules",
        "",
        "Which revision checks which of them: [coverage](../../compliance-coverage.md).",
        "",
    ]
    for family, demands in families.items():
        lines += [f"## {family}", "", "| rule | level | binds | |", "|---|---|---|---|"]
        lines += [f"| [{one.rule}]({one.rule}.md) | {one.level} | {one.binds} | {_cell(one.text)} |" for one in demands]
        lines += [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
