"""The way in: sessions go in, outcomes come out, and a report is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from mcptest.compliance import corpora as corpora_
from mcptest.compliance.corpora import Corpora, name_of
from mcptest.compliance.engine import Engine, Outcome
from mcptest.compliance.rule import Rule, load_rules
from mcptest.errors import UsageError
from mcptest.findings import Gate, Report, RuleInfo, Severity, combine
from mcptest.wire import Frame


class Book(NamedTuple):
    """The rules and what each revision demands of them; loaded once, used for any number of sessions."""

    rules: dict[str, Rule]
    corpora: Corpora

    @classmethod
    def load(cls, registry: Path | None = None) -> Book:
        rules = load_rules()
        return cls(rules, corpora_.load(rules, registry))

    def choose(self, names: Sequence[str]) -> frozenset[str] | None:
        """The rules meant by ids (`TOOLS-010`) and families (`TOOLS`); None for all where none is named."""
        if not names:
            return None
        ids = {rule for corpus in self.corpora for rule in corpus.demands}
        families = {rule.rpartition("-")[0] for rule in ids}
        chosen: set[str] = set()
        for name in names:
            if name in ids:
                chosen.add(name)
            elif name in families:
                chosen |= {rule for rule in ids if rule.rpartition("-")[0] == name}
            else:
                near = get_close_matches(name.upper(), sorted(ids | families), n=1)
                raise UsageError(
                    f"no rule or family is called {name!r}" + (f"; did you mean {near[0]}?" if near else "")
                )
        return frozenset(chosen)


def comply(
    frames: Iterable[Frame],
    book: Book,
    *,
    spec: str | None = None,
    select: Sequence[str] = (),
    source: str = "",
) -> Outcome:
    """Judge one session, given as its frames from the header on. Each message is judged by the revision it belongs to,
    or all by the one that `spec` names (`v2025-11-25`, `draft`)."""
    pin = None if spec is None else book.corpora.named(spec)
    engine = Engine(book.rules, book.corpora, pin=pin, chosen=book.choose(select), source=source)
    return engine.judge(frames)


def report(outcomes: Sequence[Outcome], *, fail_on: Severity = Severity.WARNING, gates: Sequence[Gate] = ()) -> Report:
    info: dict[str, RuleInfo] = {}
    for outcome in outcomes:
        info.update(outcome.info)
    return Report(
        f"compliance with {_by(outcomes)}" if outcomes else "compliance",
        tuple(outcome.name for outcome in outcomes),
        combine(outcome.verdicts for outcome in outcomes),
        info,
        fail_on=fail_on,
        gates=tuple(gates),
        notes=tuple(map(_spoken, outcomes)),
    )


def _spoken(outcome: Outcome) -> str:
    """`weather.jsonl: pinned to v2025-06-18, observed v2025-11-25: they differ`."""
    observed = ", ".join(name_of(revision) for revision in outcome.observed if revision) or "no revision"
    if outcome.pin is None:
        return f"{outcome.name}: observed {observed}"
    differ = ": they differ" if outcome.differs else ""
    return f"{outcome.name}: pinned to {outcome.pin}, observed {observed}{differ}"


def _by(outcomes: Sequence[Outcome]) -> str:
    """`v2025-11-25`, and what was really spoken where that differs."""
    pins = sorted({outcome.pin for outcome in outcomes if outcome.pin is not None})
    spoken = sorted({name_of(revision) for outcome in outcomes for revision in outcome.revisions if revision})
    if not pins:
        return ", ".join(spoken) or "no revision: none was named"
    differing = any(outcome.differs for outcome in outcomes)
    return ", ".join(pins) + (f" (the session speaks {', '.join(spoken) or 'none'})" if differing else "")
