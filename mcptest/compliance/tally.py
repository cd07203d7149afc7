"""How one rule does in one session, subject by subject."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcptest.compliance.http import HttpExchange
from mcptest.compliance.rule import Alone, Context, Remark, Rule
from mcptest.findings import Evidence, Finding, Severity, Status, Verdict
from mcptest.rules import Inconclusive
from mcptest.wire.frame import PROXY

# A session of a million messages may break a rule a million times: that many are counted, this many are shown.
MOST_FINDINGS = 100
LONGEST_EXCERPT = 2000


class Tally:
    __slots__ = ("_id", "_noun", "_source", "checked", "crash", "failed", "findings", "late", "sharing", "undecided",
                 "unshown")  # fmt: skip

    def __init__(self, rule: str, noun: str, source: str) -> None:
        self._id, self._noun, self._source = rule, noun, source
        self.checked = self.failed = self.unshown = 0
        self.findings: list[Finding] = []
        self.late: dict[int, HttpExchange] = {}  # by the finding's place: what is shown of it is not all there yet
        self.undecided: str | None = None
        self.crash: str | None = None
        self.sharing: list[Tally] = []  # of other rules, for which this one watches too

    def judge_with(self, rule: Rule, context: Context) -> Callable[[Any], None]:
        """The rule as a function of its subject, in one revision. It runs for every subject, so it is kept flat."""
        check, alone = _directly(rule.check)
        applies, applies_alone = (None, False) if rule.applies is None else _directly(rule.applies)

        def judge(subject: Any) -> None:
            if self.crash is not None:
                return
            failed = False
            try:
                if applies is not None and not (applies(subject) if applies_alone else applies(subject, context)):
                    return
                self.checked += 1
                for said in (check(subject) if alone else check(subject, context)) or ():
                    failed = self._add(subject, said, context) >= Severity.WARNING or failed
            except Inconclusive as reason:
                self.undecided = self.undecided or f"{_describe(subject)}: {reason}"
            except Exception as error:  # noqa: BLE001 -- a rule's own fault is a verdict, and the others still run
                self._crashed(error, subject)
            if failed:
                self.failed += 1

        return judge

    def watch_with(self, rule: Rule, context: Context) -> Callable[[Any], None]:
        assert rule.watch is not None
        watch, alone = _directly(rule.watch)

        def look(subject: Any) -> None:
            if self.crash is not None and not self.sharing:
                return
            try:
                watch(subject) if alone else watch(subject, context)
            except Exception as error:  # noqa: BLE001 -- as above
                for tally in (self, *self.sharing):
                    tally._crashed(error, subject)

        return look

    def _add(self, subject: Any, said: Remark | str, context: Context) -> Severity:
        remark = said if isinstance(said, Remark) else Remark(said)
        severity = context.severity if remark.severity is None else min(remark.severity, context.severity)
        if len(self.findings) >= MOST_FINDINGS:
            self.unshown += 1
            return severity
        place = subject.place if remark.of is None else remark.of
        pointer = (subject.pointer if remark.of is None else remark.of.pointer) + remark.at
        frames = subject.frames if remark.of is None else (remark.of.seq, *subject.frames)
        evidence = Evidence(
            self._source or context.history.name,
            pointer,
            session=context.history.session,
            frames=tuple(dict.fromkeys(frames)),
            excerpt=None if place is None or isinstance(place, HttpExchange) else _excerpt(place.raw),
        )
        if isinstance(place, HttpExchange):
            self.late[len(self.findings)] = place
        # A whole session is nobody's doing; the message that is shown of it is.
        whose = remark.of if remark.of is not None and subject.sender == PROXY else subject
        data = {
            "revision": context.revision,
            "by": remark.by or (whose.sender if context.binds == "both" else context.binds),
        }
        self.findings.append(
            Finding(self._id, severity, subject.kind, subject.name, remark.text, evidence, remark.at, data)
        )
        return severity

    def _crashed(self, error: Exception, subject: Any) -> None:
        self.crash = f"{self._id}: {type(error).__name__}: {error} ({_where(error)}) on {_describe(subject)}"

    def verdict(self, unmet: str | None) -> Verdict:
        """`unmet` is why the rule had no business in this session after all."""
        for at, exchange in self.late.items():
            finding = self.findings[at]
            evidence = finding.evidence._replace(excerpt=_excerpt(exchange.raw))
            self.findings[at] = finding._replace(evidence=evidence)
        status, reason = self._status(unmet)
        if status is Status.UNTESTED:
            return Verdict(self._id, status, noun=self._noun, reason=reason)
        return Verdict(self._id, status, self.checked, self.failed, self._noun, reason, tuple(self.findings))

    def _status(self, unmet: str | None) -> tuple[Status, str | None]:
        if self.crash is not None:
            return Status.CRASHED, self.crash
        if unmet is not None:
            return Status.UNTESTED, unmet
        if self.failed:
            more = f"{self.unshown} more remarks are counted, not shown" if self.unshown else None
            return Status.FAILED, more or self.undecided
        if self.undecided:
            return Status.INCONCLUSIVE, self.undecided
        if self.checked:
            return Status.PASSED, None
        return Status.UNTESTED, f"no {self._noun} to judge"


def _directly(function: Callable[..., Any]) -> tuple[Callable[..., Any], bool]:
    """The rule's own function, and whether it takes the subject alone: one call less for each subject."""
    return (function.function, True) if isinstance(function, Alone) else (function, False)


def _describe(subject: Any) -> str:
    frames = ", ".join(map(str, subject.frames))
    return f"{subject.kind} {subject.name}" + (f" (frame {frames})" if frames else "")


def _excerpt(raw: bytes) -> str:
    text = raw[:LONGEST_EXCERPT].decode("utf-8", "backslashreplace")
    return text if len(raw) <= LONGEST_EXCERPT else text + "…"


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "unknown place"
