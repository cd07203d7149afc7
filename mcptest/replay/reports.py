"""A replay as a Report, for every format: by kind of drift, or, for formats that show test cases, by request."""

from __future__ import annotations

from collections.abc import Iterable

from mcptest.errors import EXIT_FINDINGS, EXIT_FINE, EXIT_REFUSED, EXIT_TARGET
from mcptest.findings import Evidence, Finding, Report, RuleInfo, Severity, Status, Verdict
from mcptest.replay import outcomes
from mcptest.replay.drift import Drift, Kind
from mcptest.replay.outcomes import Outcome
from mcptest.replay.plan import Step
from mcptest.replay.regressing import Replayed
from mcptest.wire.message import REQUEST

SKIPPED, STOPPED = "REPLAY-SKIPPED", "REPLAY-STOPPED"
_SEVERITIES = {
    Kind.ERROR: Severity.ERROR,
    Kind.RESULT: Severity.WARNING,
    Kind.SILENCE: Severity.ERROR,
    Kind.SHAPE: Severity.ERROR,
    Kind.REMOVED: Severity.ERROR,
    Kind.ADDED: Severity.WARNING,
    Kind.CONTENT: Severity.WARNING,
    Kind.ORDER: Severity.WARNING,
    Kind.SCHEMA: Severity.ERROR,
    Kind.NOTIFICATION: Severity.WARNING,
    Kind.REQUEST: Severity.WARNING,
    Kind.LATENCY: Severity.INFO,
}
_SUMMARIES = {
    Kind.ERROR: "An error instead of a result",
    Kind.RESULT: "A result instead of an error",
    Kind.SILENCE: "No answer",
    Kind.SHAPE: "A value of another type",
    Kind.REMOVED: "Something is gone from an answer",
    Kind.ADDED: "Something is new in an answer",
    Kind.CONTENT: "A value is another one",
    Kind.ORDER: "A list has another order",
    Kind.SCHEMA: "An answer does not fit the output schema",
    Kind.NOTIFICATION: "A notification is missing, new or changed",
    Kind.REQUEST: "A request of the server is missing, new or changed",
    Kind.LATENCY: "An answer took longer",
}
_RULES = {
    **{
        kind.value: RuleInfo(kind.value, _SEVERITIES[kind], summary, f"{summary}, compared with the recording.")
        for kind, summary in _SUMMARIES.items()
    },
    SKIPPED: RuleInfo(
        SKIPPED, Severity.INFO, "Not replayed", "The request was left out on purpose; the reason says why."
    ),
    STOPPED: RuleInfo(STOPPED, Severity.CRITICAL, "The target died or hung", "The replay ended before the recording."),
}


def exit_code(replayed: Replayed) -> int:
    if replayed.run.stopped is not None:
        return EXIT_TARGET
    if replayed.refused_everything:
        return EXIT_REFUSED
    return EXIT_FINDINGS if any(counts(replayed, one) for one in replayed.drift) else EXIT_FINE


def counts(replayed: Replayed, one: Drift) -> bool:
    """Does this fail the run? Slowness only where it was asked for."""
    return one.kind is not Kind.LATENCY or replayed.judging.gate_latency


def label(step: Step) -> str:
    """`#4 tools/call search`."""
    return f"#{step.number + 1} {step.label}"


def report(replayed: Replayed, source: str, *, by_request: bool = False) -> Report:
    found = [_finding(replayed, one, source) for one in replayed.drift]
    found += [_skip(outcome, source, replayed) for outcome in replayed.skipped]
    if replayed.run.stopped is not None:
        found.append(_stop(replayed, source))
    verdicts = _by_request(replayed, found) if by_request else _by_kind(replayed, found)
    title = f"Replay of {source}"
    return Report(title, (source,), tuple(verdicts), _RULES, fail_on=Severity.WARNING)


def _by_kind(replayed: Replayed, found: list[Finding]) -> Iterable[Verdict]:
    checked = sum(one.status is outcomes.Status.RAN and one.step.turn.kind == REQUEST for one in replayed.run.outcomes)
    for rule in _RULES:
        findings = tuple(finding for finding in found if finding.rule == rule)
        status = Status.FAILED if findings else Status.PASSED if checked else Status.UNTESTED
        failed = len({finding.subject for finding in findings})
        reason = None if findings or checked else "nothing was replayed"
        yield Verdict(rule, status, max(checked, failed), failed, "requests", reason, findings)


def _by_request(replayed: Replayed, found: list[Finding]) -> Iterable[Verdict]:
    for outcome in replayed.run.outcomes:
        if outcome.step.turn.kind != REQUEST:
            continue
        name = label(outcome.step)
        findings = tuple(
            finding._replace(rule=name) for finding in found if finding.subject == name and finding.rule != SKIPPED
        )
        if outcome.status in (outcomes.Status.SKIPPED, outcomes.Status.NOT_RUN):
            yield Verdict(name, Status.UNTESTED, 0, 0, "requests", outcome.reason or "the replay ended before it")
        else:
            yield Verdict(
                name, Status.FAILED if findings else Status.PASSED, 1, int(bool(findings)), "request", None, findings
            )
    stopped = tuple(finding for finding in found if finding.rule == STOPPED)
    if stopped:
        yield Verdict(STOPPED, Status.FAILED, 1, 1, "target", None, stopped)


def _finding(replayed: Replayed, one: Drift, source: str) -> Finding:
    severity = _SEVERITIES[one.kind]
    if one.kind is Kind.LATENCY and replayed.judging.gate_latency:
        severity = Severity.ERROR
    data = {"recorded": one.recorded, "replayed": one.replayed, "replay": replayed.run.session}
    return Finding(
        one.kind.value,
        severity,
        "request",
        label(one.step),
        f"{one.pointer}: {one.message}" if one.path and one.method is None else one.message,
        _evidence(replayed, one.step, source, one.pointer),
        one.pointer if one.method is None else f"{one.method}{one.pointer}",
        {key: value for key, value in data.items() if value is not None},
    )


def _skip(outcome: Outcome, source: str, replayed: Replayed) -> Finding:
    data = {"reason": outcome.refused.value} if outcome.refused else {}
    evidence = _evidence(replayed, outcome.step, source)
    reason = outcome.reason or "skipped"
    return Finding(SKIPPED, Severity.INFO, "request", label(outcome.step), reason, evidence, "", data)


def _stop(replayed: Replayed, source: str) -> Finding:
    left = sum(outcome.status is outcomes.Status.NOT_RUN for outcome in replayed.run.outcomes)
    message = f"{replayed.run.stopped}; {left} of {len(replayed.run.outcomes)} messages were not sent"
    return Finding(STOPPED, Severity.CRITICAL, "replay", source, message, Evidence(source))


def _evidence(replayed: Replayed, step: Step, source: str, pointer: str = "") -> Evidence:
    frames = tuple(seq for seq in (step.turn.seq, step.turn.answer_seq) if seq is not None)
    return Evidence(source, pointer, session=replayed.recording.session, frames=frames)
