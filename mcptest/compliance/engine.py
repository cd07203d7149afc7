"""One pass over a session for all rules.

What happens is looked up once, by kind, sender, method and revision, and gives the rules that wait for it: a message
costs as many calls as there are rules that care for it. A rule that raises is finished, and its verdict says so.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from mcptest.compliance.corpora import UNDECIDED, Corpora, Corpus, Demand, revision_of
from mcptest.compliance.history import History
from mcptest.compliance.on import On
from mcptest.compliance.reader import END, OBJECT, Reader
from mcptest.compliance.rule import Context, Rule
from mcptest.compliance.tally import Tally
from mcptest.findings import RuleInfo, Severity, Status, Verdict
from mcptest.wire import Frame
from mcptest.wire.frame import CLIENT, PROXY
from mcptest.wire.message import NOTIFICATION, REQUEST, RESPONSE

_MESSAGES = frozenset({REQUEST, NOTIFICATION, RESPONSE, OBJECT})

_COLLECTING = 20_000, 2, 4

Judge = Callable[[Any], None]
Step = tuple[Callable[[Any], Iterable[Any]] | None, tuple[Judge, ...]]
_Key = tuple[str, str, str | None, str, bool]


class Outcome(NamedTuple):
    """How one session came out. `revisions` counts the messages that belong to each revision; `pin` is what the user
    asked to judge by; `info` tells about each rule that has a verdict; `transport` is empty where nobody knows it."""

    session: str
    name: str
    pin: str | None
    negotiated: str | None
    revisions: Mapping[str, int]
    verdicts: tuple[Verdict, ...]
    info: Mapping[str, RuleInfo]
    transport: str = ""

    @property
    def observed(self) -> tuple[str, ...]:
        """The revisions seen, the most used first."""
        return tuple(sorted(self.revisions, key=lambda revision: -self.revisions[revision]))

    @property
    def differs(self) -> bool:
        """Does the pin differ from what the session spoke?"""
        return self.pin is not None and any(revision != revision_of(self.pin) for revision in self.revisions)


class _Run:
    """One rule over one session."""

    __slots__ = ("contexts", "memory", "rule", "tally")

    def __init__(self, rule: Rule, source: str) -> None:
        self.rule = rule
        self.memory = rule.memory() if rule.memory is not None else None
        self.tally = Tally(rule.id, rule.noun, source)
        self.contexts: dict[str, Context | None] = {}  # by revision


class Engine:
    """Judges one session. `chosen` limits the rules by id."""

    def __init__(
        self,
        rules: Mapping[str, Rule],
        corpora: Corpora,
        *,
        pin: Corpus | None = None,
        chosen: frozenset[str] | None = None,
        source: str = "",
    ) -> None:
        self._rules, self._corpora, self._pin, self._chosen = rules, corpora, pin, chosen
        self._runs = [_Run(rule, source) for rule in rules.values() if chosen is None or rule.id in chosen]
        self._table: dict[_Key, tuple[Step, ...]] = {}
        self._reader = Reader(self._happened, None if pin is None else revision_of(pin.name), self._table.clear)
        self._history = self._reader.history
        self._source = source
        self._judging = _by_event((run, run.rule.on) for run in self._runs)
        self._watching = _by_event((run, run.rule.watched) for run in _one_of_each(self._runs))
        self._mentioned = frozenset(
            method for run in self._runs for on in (*run.rule.on, *run.rule.watched) for method in on.methods or ()
        )

    def judge(self, frames: Iterable[Frame]) -> Outcome:
        with _rarely_collecting():
            history = self._reader.read(frames)
        corpora = self._in_force()
        demands: dict[str, tuple[Corpus, Demand]] = {}
        for corpus in corpora:
            for demand in corpus.demands.values():
                if self._chosen is None or demand.rule in self._chosen:
                    demands[demand.rule] = corpus, demand
        tallies = {run.rule.id: run for run in self._runs}
        return Outcome(
            history.session,
            self._source or history.name,
            None if self._pin is None else self._pin.name,
            history.known.negotiated,
            dict(history.revisions),
            tuple(self._verdict(demand, tallies.get(rule)) for rule, (_, demand) in sorted(demands.items())),
            {rule: self._info(corpus, demand) for rule, (corpus, demand) in sorted(demands.items())},
            history.transport,
        )

    def _in_force(self) -> list[Corpus]:
        """The corpora that the session was judged by, oldest first."""
        if self._pin is not None:
            return [self._pin]
        found = [self._corpora.of(revision) for revision in sorted(self._history.revisions)]
        return [corpus for corpus in found if corpus is not None]

    def _verdict(self, demand: Demand, run: _Run | None) -> Verdict:
        if run is None or demand.decide in UNDECIDED:
            reason = "not checked yet" if demand.pending else demand.why or f"needs {_NEEDS[demand.decide]}"
            return Verdict(demand.rule, Status.UNTESTED, reason=reason)
        unmet = run.rule.provided(self._history) if run.rule.provided is not None else None
        return run.tally.verdict(unmet)

    def _info(self, corpus: Corpus, demand: Demand) -> RuleInfo:
        rule = self._rules.get(demand.rule)
        manual = "" if rule is None else rule.help
        return RuleInfo(demand.rule, demand.severity, demand.text, manual, corpus.url(demand.rule))

    # ---- the pass

    def _happened(self, event: str, sender: str, method: str | None, subject: Any) -> None:
        revision = subject.revision
        if event in _MESSAGES:
            counts = self._history.revisions
            counts[revision] = counts.get(revision, 0) + 1
        elif event == END:
            self._end(subject)
            return
        # The last: was it sent by a probe of our own?
        key = event, sender, method if method in self._mentioned else None, revision, subject.synthetic
        steps = self._table.get(key)
        if steps is None:
            steps = self._table[key] = self._steps(key)
        for take, judges in steps:
            if take is None:
                for judge in judges:
                    judge(subject)
            else:
                for part in take(subject):
                    for judge in judges:
                        judge(part)

    def _end(self, history: History) -> None:
        """A session is judged by the revision it ended in, or by the newest of its others that has the rule."""
        revisions = [history.revision, *sorted(history.revisions, reverse=True)]
        for run in self._runs:
            selectors = [on for on in run.rule.on if END in on.events]
            if not selectors:
                continue
            for revision in revisions:
                context = self._context(run, revision)
                if context is not None and self._fits(run.rule, revision):
                    judge = run.tally.judge_with(run.rule, context)
                    for on in selectors:
                        for subject in (history,) if on.parts is None else on.parts(history):
                            judge(subject)
                    break

    def _steps(self, key: _Key) -> tuple[Step, ...]:
        event, sender, method, revision, ours = key
        steps: list[tuple[Any, list[Judge]]] = []
        for run, on in self._watching.get(event, ()):
            if _matches(on, sender, method):
                _add(steps, on, run.tally.watch_with(run.rule, self._any_context(run, revision)))
        if ours and sender == CLIENT:
            return _frozen(steps)
        for run, on in self._judging.get(event, ()):
            if not _matches(on, sender, method):
                continue
            context = self._context(run, revision)
            if context is None or (context.binds not in (sender, "both") and sender != PROXY):
                continue
            if self._fits(run.rule, revision):
                _add(steps, on, run.tally.judge_with(run.rule, context))
        return _frozen(steps)

    def _demand(self, rule: Rule, revision: str) -> Demand | None:
        corpus = self._pin or self._corpora.of(revision)
        return None if corpus is None else corpus.demands.get(rule.id)

    def _fits(self, rule: Rule, revision: str) -> bool:
        demand = self._demand(rule, revision)
        return demand is not None and (not demand.transport or self._history.transport in demand.transport)

    def _context(self, run: _Run, revision: str) -> Context | None:
        if revision in run.contexts:
            return run.contexts[revision]
        demand, context = self._demand(run.rule, revision), None
        if demand is not None:
            in_force = revision if self._pin is None else revision_of(self._pin.name)
            context = Context(in_force, demand.expect, demand.severity, demand.binds, self._history, run.memory)
        run.contexts[revision] = context
        return context

    def _any_context(self, run: _Run, revision: str) -> Context:
        """For watching, which goes on in revisions that do not have the rule."""
        return self._context(run, revision) or Context(revision, {}, Severity.INFO, "both", self._history, run.memory)


@contextmanager
def _rarely_collecting() -> Iterator[None]:
    """A message and its answer know each other, and stay until a collection finds that nobody else does: rarely
    enough not to cost a tenth of the speed, and of all generations, since most have grown old by then."""
    usual = gc.get_threshold()
    gc.set_threshold(*_COLLECTING)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


_NEEDS = {"probe": "an active probe", "never": "more than any traffic shows", "capture": "", "stimulus": ""}


def _one_of_each(runs: Iterable[_Run]) -> list[_Run]:
    """Rules that have both their memory and their watching from a shared module share one memory, and one of them
    watches for all."""
    watching: dict[tuple[Any, Any], _Run] = {}
    for run in runs:
        if run.rule.watch is None:
            continue
        first = watching.setdefault((run.rule.memory, run.rule.watch), run)
        if first is not run:
            run.memory = first.memory
            first.tally.sharing.append(run.tally)
    return list(watching.values())


def _by_event(runs: Iterable[tuple[_Run, tuple[On, ...]]]) -> dict[str, list[tuple[_Run, On]]]:
    found: dict[str, list[tuple[_Run, On]]] = {}
    for run, selectors in runs:
        for on in selectors:
            for event in on.events:
                found.setdefault(event, []).append((run, on))
    return found


def _matches(on: On, sender: str, method: str | None) -> bool:
    return (on.sender is None or on.sender == sender) and (on.methods is None or method in on.methods)


def _add(steps: list[tuple[Any, list[Judge]]], on: On, judge: Judge) -> None:
    """Rules that take a subject apart in the same way share the walk."""
    for take, judges in steps:
        if take is on.parts:
            judges.append(judge)
            return
    steps.append((on.parts, [judge]))


def _frozen(steps: list[tuple[Any, list[Judge]]]) -> tuple[Step, ...]:
    return tuple((take, tuple(judges)) for take, judges in steps)
