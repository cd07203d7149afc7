"""What it takes to move to another revision, read off a recorded session.

Four things are asked: which features that the session uses are gone or deprecated (`moves.yaml`), which rules that are
new or changed the session would break, how it refuses a resource that does not exist, and how it answers discovery.
Where we were the client ourselves, only what the server has to do is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mcptest.compliance.corpora import Corpus, page_url, revision_of
from mcptest.compliance.diagnosis import Ailment, Diagnosis, in_order
from mcptest.compliance.history import History
from mcptest.compliance.judging import Book, comply
from mcptest.compliance.moves import Effect, Move, Sight, advice, moves
from mcptest.compliance.questions import MISSING_RESOURCE, Look
from mcptest.compliance.revision import nearest
from mcptest.compliance.versions import Bucket, diff_versions
from mcptest.errors import UsageError
from mcptest.findings import Severity, Status, Verdict
from mcptest.wire import Frame
from mcptest.wire.frame import SERVER

_MOST_FRAMES = 5


def diagnose(
    frames: Callable[[], Iterable[Frame]], book: Book, to: str, *, from_: str | None = None, source: str = ""
) -> Diagnosis:
    """Look at a session, which `frames` gives from its header on as often as it is asked. `from_` is the revision that
    it speaks, where the session does not tell."""
    target = book.corpora.named(to)
    start = None if from_ is None else book.corpora.named(from_)
    first = Look(moves(), book, target, None if start is None else revision_of(start.name))
    history = first.read(frames())
    start = start or _spoken(history, book, source)
    if revision_of(target.name) < revision_of(start.name):
        raise UsageError(
            f"{target.name} is older than {start.name}, which the session speaks: only a move to a newer revision is "
            f"looked at (what differs: mcptest compliance diff {start.name} {target.name})"
        )
    wanted = [move for move in moves() if move.concerns(start.name, target.name)]
    found = [_moved(move, sight) for move in wanted if (sight := first.watch.sights[move.name])]
    if first.ours:
        found = [one._replace(todo={SERVER: one.todo[SERVER]}) for one in found if SERVER in one.todo]
    told = {rule for move in wanted if first.watch.sights[move.name] for rule in move.covers}
    rules = _Rules(frames, book, start, target, source, history.transport)
    found += rules.ailments(told)
    resource, ailing = first.resources(target)
    found += ailing
    return Diagnosis(
        history.session,
        source or history.name,
        start.name,
        target.name,
        in_order(found),
        rules.sound,
        rules.untested,
        rules.crashed,
        resource,
        first.discovery(target),
    )


def _spoken(history: History, book: Book, source: str) -> Corpus:
    """The revision that the handshake settled on, or else the one that most messages belong to."""
    settled = history.known.negotiated
    most = max(history.revisions, key=lambda revision: history.revisions[revision], default="")
    revision = most if settled is None else nearest(settled)
    corpus = book.corpora.of(revision) if revision else None
    if corpus is None:
        raise UsageError(f"nothing in {source or history.name} tells its revision: name it with --from")
    return corpus


def _moved(move: Move, sight: Sight) -> Ailment:
    if move.effect is Effect.BREAKS:
        severity = Severity.ERROR
    else:
        severity = Severity.WARNING if sight.count else Severity.INFO
    url = page_url(move.since, move.page)
    return Ailment(move.name, move.effect, severity, move.title, sight.text, tuple(sight.frames), move.todo, url)


class _Rules:
    """The rules that are new or changed in the target, run over the session as the target has them."""

    def __init__(
        self,
        frames: Callable[[], Iterable[Frame]],
        book: Book,
        start: Corpus,
        target: Corpus,
        source: str,
        transport: str,
    ) -> None:
        self._frames, self._book, self._start, self._target, self._source = frames, book, start, target, source
        diff = diff_versions(start, target)
        changed = [*diff.within(Bucket.CHANGED), *diff.within(Bucket.ADDED)]
        elsewhere = {one.rule for one in target.demands.values() if one.transport and transport not in one.transport}
        chosen = [entry.rule_id for entry in changed if entry.rule_id not in {MISSING_RESOURCE, *elsewhere}]
        self._verdicts = self._run(target, chosen)
        self.sound = self._with(Status.PASSED)
        self.untested = self._with(Status.UNTESTED, Status.INCONCLUSIVE)
        self.crashed = tuple(verdict for verdict in self._verdicts if verdict.status is Status.CRASHED)

    def _run(self, corpus: Corpus, chosen: Sequence[str]) -> tuple[Verdict, ...]:
        if not chosen:  # which would mean all of them
            return ()
        return comply(self._frames(), self._book, spec=corpus.name, select=chosen, source=self._source).verdicts

    def _with(self, *statuses: Status) -> tuple[str, ...]:
        return tuple(verdict.rule for verdict in self._verdicts if verdict.status in statuses)

    def ailments(self, told: set[str]) -> list[Ailment]:
        failed = [one for one in self._verdicts if one.status is Status.FAILED and one.rule not in told]
        before = self._run(self._start, [one.rule for one in failed if one.rule in self._start.demands])
        already = {one.rule: _gravest(one) for one in before if one.status is Status.FAILED}
        return [self._ailment(one, already.get(one.rule)) for one in failed]

    def _ailment(self, verdict: Verdict, before: Severity | None) -> Ailment:
        demand, gravest = self._target.demands[verdict.rule], _gravest(verdict)
        sides = sorted({str(finding.data.get("by", demand.binds)) for finding in verdict.findings})
        text = advice(verdict.rule) or demand.text
        shown = verdict.findings[0].message if verdict.findings else ""
        frames = [frame for finding in verdict.findings for frame in finding.evidence.frames[:1]]
        return Ailment(
            verdict.rule,
            Effect.BREAKS if gravest >= Severity.ERROR else Effect.ADVISED,
            gravest,
            shown,
            verdict.counts,
            tuple(dict.fromkeys(frames))[:_MOST_FRAMES],
            dict.fromkeys(sides, text),
            self._target.url(verdict.rule),
            before is not None and before >= gravest,
        )


def _gravest(verdict: Verdict) -> Severity:
    return max((finding.severity for finding in verdict.findings), default=Severity.WARNING)
