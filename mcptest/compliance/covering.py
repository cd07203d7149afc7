"""How much of each revision is checked, and how: from traffic alone, by a probe only, or by nothing at all."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mcptest.compliance.corpora import Corpus, Demand
from mcptest.compliance.judging import Book


class Way(enum.StrEnum):
    """How a rule is decided. `stimulus`: from a capture that holds what triggers it; `pending`: not written yet."""

    CAPTURE = "capture"
    STIMULUS = "stimulus"
    PROBE = "probe"
    NEVER = "never"
    PENDING = "pending"

    @property
    def text(self) -> str:
        return _TEXT[self]

    @property
    def offline(self) -> bool:
        return self in (Way.CAPTURE, Way.STIMULUS)


_TEXT = {
    Way.CAPTURE: "checked",
    Way.STIMULUS: "checked, given the stimulus",
    Way.PROBE: "needs a probe",
    Way.NEVER: "not observable",
    Way.PENDING: "not yet",
}


def way_of(book: Book, demand: Demand) -> Way:
    if demand.decide in ("probe", "never"):
        return Way(demand.decide)
    return Way(demand.decide) if demand.rule in book.rules and not demand.pending else Way.PENDING


class Counts(NamedTuple):
    """Of one revision, or of one family of it: how many rules are decided in each way."""

    rules: int
    offline: int
    stimulus: int
    probe: int
    never: int
    pending: int

    @classmethod
    def of(cls, ways: Sequence[Way]) -> Counts:
        return cls(
            len(ways),
            sum(way.offline for way in ways),
            *(ways.count(way) for way in (Way.STIMULUS, Way.PROBE, Way.NEVER, Way.PENDING)),
        )


class Line(NamedTuple):
    """One rule: the way it is decided in each revision that has it, and what the newest of these demands."""

    rule: str
    text: str
    why: str | None
    ways: Mapping[str, Way]

    @property
    def family(self) -> str:
        return self.rule.rpartition("-")[0]


class Coverage(NamedTuple):
    revisions: tuple[str, ...]
    lines: tuple[Line, ...]

    def counts(self, revision: str) -> Counts:
        return Counts.of([line.ways[revision] for line in self.lines if revision in line.ways])

    def families(self) -> Iterator[tuple[str, list[Line]]]:
        found: dict[str, list[Line]] = {}
        for line in self.lines:
            found.setdefault(line.family, []).append(line)
        yield from found.items()

    def to_json(self) -> dict[str, Any]:
        return {
            "revisions": {revision: self.counts(revision)._asdict() for revision in self.revisions},
            "rules": [
                {
                    "rule_id": line.rule,
                    "text": line.text,
                    **({} if line.why is None else {"why": line.why}),
                    "decided": dict(line.ways),
                }
                for line in self.lines
            ],
        }


def coverage(book: Book, chosen: frozenset[str] | None = None) -> Coverage:
    """All rules of all revisions, or those chosen by id."""
    corpora: list[Corpus] = list(book.corpora)
    rules = sorted({rule for corpus in corpora for rule in corpus.demands if chosen is None or rule in chosen})
    lines = []
    for rule in rules:
        demands = {corpus.name: corpus.demands[rule] for corpus in corpora if rule in corpus.demands}
        newest = list(demands.values())[-1]
        ways = {name: way_of(book, demand) for name, demand in demands.items()}
        lines.append(Line(rule, newest.text, newest.why, ways))
    return Coverage(tuple(corpus.name for corpus in corpora), tuple(lines))
