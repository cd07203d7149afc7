"""Every judge over the same sources: the lint reads what a server offers, compliance what both sides said.

A name that selects or ignores is an id, a family or the beginning of ids, of either judge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mcptest.errors import UsageError

if TYPE_CHECKING:
    from mcptest.analyzers import Analysis, Plan
    from mcptest.compliance import Book, Outcome
    from mcptest.findings import Report, Severity
    from mcptest.rules import Rule


class Judged(NamedTuple):
    """What the judges made of one source; `analysis` is None where the lint did not run."""

    source: str
    analysis: Analysis | None
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Panel:
    """Who judges: the lint or not, with which plan, and which rules of the specification. It goes to other processes,
    and is called there with one source."""

    lint: bool
    plan: Plan
    rules: frozenset[str]

    def __call__(self, source: str, using: Sequence[Rule]) -> Judged:
        from mcptest import analyzers

        recorded = analyzers.is_recorded(source)
        if not recorded and not self.lint:
            raise UsageError(f"{source} is no recording, and only rules of the specification are selected")
        outcomes = _complied(source, self.rules) if recorded and self.rules else ()
        analysis = analyzers.analyse(source, using, may_lack=bool(outcomes)) if self.lint else None
        return Judged(source, analysis, outcomes)


def panel(plan: Plan, sources: Sequence[str]) -> Panel:
    """The judges that a plan's names mean. UsageError for a name that means nothing, or if nothing would be judged."""
    from mcptest import analyzers

    lint = known_lint(plan)
    foreign = any(name != "ALL" and not _meant(name, lint) for name in (*plan.select, *plan.ignore))
    # Loading the specification takes its time, and files with a catalogue have no use for it.
    spec = known_spec() if foreign or any(map(analyzers.is_recorded, sources)) else []
    every = [*lint, *spec]
    _refuse_unknown(plan, every)
    for_spec = _kept(spec, every, plan)
    if not _kept(lint, every, plan):
        if not for_spec:
            raise UsageError("every rule is deselected: nothing would be judged")
        return Panel(False, plan._replace(select=(), ignore=()), for_spec)
    return Panel(True, for_lint(plan, lint), for_spec)


def _refuse_unknown(plan: Plan, ids: Sequence[str]) -> None:
    for name in (*plan.select, *plan.ignore):
        if name != "ALL" and not _meant(name, ids):
            near = get_close_matches(name.upper(), sorted({*ids, *map(_family, ids)}), n=1)
            raise UsageError(f"no rule is called {name!r}" + (f"; did you mean {near[0]}?" if near else ""))


def for_lint(plan: Plan, ids: Collection[str]) -> Plan:
    """The plan with those names only that mean rules of the lint."""
    select, ignore = (tuple(name for name in names if _meant(name, ids)) for names in (plan.select, plan.ignore))
    return plan._replace(select=select, ignore=ignore)


def known_lint(plan: Plan) -> list[str]:
    from mcptest import analyzers

    return [rule.id for rule in analyzers.load_rules(plan._replace(select=(), ignore=()))]


def known_spec() -> list[str]:
    return sorted({rule for corpus in _book().corpora for rule in corpus.demands})


def report(title: str, judged: Iterable[Judged], using: Sequence[Rule], fail_on: Severity) -> Report:
    """What all judges said, as one report."""
    from mcptest import analyzers, compliance

    found = list(judged)
    analyses = [one.analysis for one in found if one.analysis is not None]
    result = analyzers.report(title, analyses, using if analyses else (), fail_on)
    result = result._replace(sources=tuple(one.source for one in found))
    outcomes = [outcome for one in found for outcome in one.outcomes]
    if not outcomes:
        return result
    by_spec = compliance.report(outcomes)
    return result._replace(
        verdicts=(*result.verdicts, *by_spec.verdicts),
        rules={**result.rules, **by_spec.rules},
        notes=(*result.notes, *by_spec.notes),
    )


@cache
def _book() -> Book:
    from mcptest.compliance import Book

    return Book.load()


def _complied(source: str, rules: frozenset[str]) -> tuple[Outcome, ...]:
    from mcptest.capture import locate, sources
    from mcptest.compliance import comply

    return tuple(
        comply(one.frames(), _book(), select=sorted(rules), source=one.name) for one in sources.find(source, locate())
    )


def _kept(ids: Collection[str], every: Collection[str], plan: Plan) -> frozenset[str]:
    wanted = {rule for name in plan.select or ("ALL",) for rule in _meant(name, every)}
    return frozenset(ids) & (wanted - {rule for name in plan.ignore for rule in _meant(name, every)})


def _meant(name: str, ids: Collection[str]) -> set[str]:
    """`ALL`, a rule or a family, else all rules that begin so: SCH is a family, and SCHEMA none of its rules."""
    if name == "ALL":
        return set(ids)
    exact = {rule for rule in ids if name in (rule, _family(rule))}
    return exact or {rule for rule in ids if rule.startswith(name)}


def _family(rule: str) -> str:
    return rule.rpartition("-")[0]
