"""Fuzz one tool: calls with arguments made from its input schema, and a close look at how each is answered.

Whether bad arguments are refused is not judged here, that is what probes are for; how they are refused is: the server
must neither die nor fall silent, its answers must be answers, and its errors must not tell what is nobody's business.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mcptest.errors import TargetError
from mcptest.policy import Decision, Gate, Reason, Refused
from mcptest.probes.answers import Reply, quoted, refused, violations
from mcptest.probes.leaks import Leaks
from mcptest.probes.outcomes import Flaw, FuzzFailure, FuzzReport, Settings
from mcptest.probes.shrinking import shrink
from mcptest.probes.subject import Subject
from mcptest.probes.talk import Talk
from mcptest.probes.visits import Visits
from mcptest.schemas import SchemaError, Validator

# A flaw that takes its time, or a new process, is not met more often than this before fuzzing ends.
_ENOUGH = {Flaw.HANG: 3, Flaw.CRASH: 25}
_TRIES = {Flaw.HANG: 6, Flaw.CRASH: 60, Flaw.VIOLATION: 200, Flaw.LEAK: 200}  # to make one smaller
_MOST_KINDS = 5  # failures of one flaw that are told apart
_VARYING = re.compile(r"0x[0-9a-fA-F]+|\d+|'[^']*'|\"[^\"]*\"")


class FuzzSettings(NamedTuple):
    """`cases` are calls before shrinking; the same `seed` makes the same arguments. `timeout` is for each call."""

    cases: int = 100
    seed: int = 0
    timeout: float = 5.0


class _Case(NamedTuple):
    arguments: Any
    flaw: Flaw
    evidence: str
    session: str | None

    @property
    def kind(self) -> tuple[Flaw, str]:
        """What makes two failures one: the flaw, and its evidence without what varies."""
        return self.flaw, _VARYING.sub("#", self.evidence)[:200]


Progress = Callable[[int], None]


async def fuzz_tool(
    visits: Visits,
    tool: Mapping[str, Any],
    base: Mapping[str, Any] | None,
    settings: FuzzSettings,
    gate: Gate,
    *,
    progress: Progress = lambda _: None,
    only: Mapping[str, Any] | None = None,
) -> FuzzReport:
    """Only tools that may be called any number of times are fuzzed; of others the report says why not. `only` are
    arguments to try in the place of made ones. TargetError if the server cannot be met at all."""
    subject = Subject(tool, base)
    report = FuzzReport(subject.name, settings.seed)
    if only is None and gate.policy.decide(subject.classified.tool_class) is not Decision.EXECUTE:
        kind = subject.classified.tool_class
        once = gate.policy.decide(kind) is Decision.EXECUTE_ONCE
        why = f"it is {kind.lower()} ({subject.classified.reason}), and only what reads is called again and again"
        return report._replace(skipped=why, refused=Reason.ONCE if once else Reason.DESTRUCTIVE)
    from mcptest.probes.strategies import arguments

    if only is not None:
        made = [dict(only)]
    else:
        # In a thread: others may be waiting for answers, and must not take our thinking for a server's silence.
        made = await asyncio.to_thread(arguments, subject.schema, base, settings.cases, settings.seed)
    return await _Fuzzer(visits, subject, settings, gate).run(made, report, progress)


class _Fuzzer:
    def __init__(self, visits: Visits, subject: Subject, settings: FuzzSettings, gate: Gate) -> None:
        self._visits, self._subject, self._gate = visits, subject, gate
        self._settings = Settings(timeout=settings.timeout)
        self._leaks = Leaks(dict(visits.target.env))
        self._output = _output(subject.tool)
        self._accepted = 0

    async def run(self, made: list[dict[str, Any]], report: FuzzReport, progress: Progress) -> FuzzReport:
        met: dict[tuple[Flaw, str], list[_Case]] = {}
        run, skipped, reason = 0, None, None
        await self._visits.client()
        try:
            for arguments in made:
                case = await self._try(arguments)
                run += 1
                progress(run)
                if case is None:
                    continue
                met.setdefault(case.kind, []).append(case)
                times = sum(len(cases) for kind, cases in met.items() if kind[0] is case.flaw)
                if times >= _ENOUGH.get(case.flaw, len(made) + 1):
                    skipped = f"ended after {run} of {len(made)} cases: {times} times a {case.flaw.value}"
                    break
        except Refused as refusal:
            skipped, reason = f"ended after {run} of {len(made)} cases: {refusal}", refusal.reason
        except TargetError as error:
            skipped = f"ended after {run} of {len(made)} cases: the server cannot be met again: {error}"
        accepted = self._accepted
        failures = [await self._smallest(cases) for cases in _told_apart(met)]
        return report._replace(
            cases_run=run,
            failures=tuple(failures),
            skipped=skipped,
            refused=reason,
            accepted_invalid=accepted,
        )

    async def _try(self, arguments: Any) -> _Case | None:
        """Call once; the flaw that showed, None if it came out clean. After a crash or a hang the server is new."""
        talk = Talk(await self._visits.client(), self._visits, self._subject, self._gate, self._settings)
        session = self._visits.session
        reply = await talk.call(self._subject.name, arguments, annotations=self._subject.tool.get("annotations"))
        seen = self._examine(reply, arguments)
        if reply.body is not None and not refused(reply.body) and self._subject.refuses(arguments):
            self._accepted += 1
        if seen is None:
            return None
        if seen[0] in (Flaw.CRASH, Flaw.HANG):
            await self._visits.leave()
        return _Case(arguments, *seen, session)

    def _examine(self, reply: Reply, arguments: Any) -> tuple[Flaw, str] | None:
        if reply.lost is not None:
            return None if reply.status is not None else (Flaw.CRASH, reply.lost)
        for heard in reply.heard:
            return Flaw.VIOLATION, f"{heard.reason}: {quoted(heard.data)}"
        if reply.body is None:
            return Flaw.HANG, f"no answer within {reply.waited:g} s"
        faults = violations(reply.body) or self._misshapen(reply.body)
        if faults:
            return Flaw.VIOLATION, faults[0]
        leak = self._leaks.found(reply.body, arguments)
        return None if leak is None else (Flaw.LEAK, leak)

    def _misshapen(self, body: Mapping[str, Any]) -> list[str]:
        """A result must be what the tool's own output schema promises."""
        result = body.get("result")
        if self._output is None or refused(body) or not isinstance(result, Mapping):
            return []
        if result.get("resultType", "complete") != "complete" or "task" in result:
            return []
        if "structuredContent" not in result:
            return ["the tool has an output schema, and the result has no structuredContent"]
        problems = self._output.problems(result["structuredContent"], 1)
        return [
            f"structuredContent{one.pointer} does not fit the output schema: {one.message[:100]}" for one in problems
        ]

    async def _smallest(self, cases: list[_Case]) -> FuzzFailure:
        """The failure with arguments made as small as they get. Spent budget or a lost server end the search early."""
        first = min(cases, key=lambda case: len(str(case.arguments)))
        last = first

        async def fails(arguments: Any) -> bool:
            nonlocal last
            found = await self._try(arguments)
            if found is None or found.kind != first.kind:
                return False
            last = found
            return True

        stable = True
        try:
            stable = await fails(first.arguments)
            if stable:
                await shrink(first.arguments, fails, _TRIES[first.flaw])
        except (Refused, TargetError):
            pass
        return FuzzFailure(first.flaw, last.arguments, last.evidence, last.session, len(cases), stable)


def _told_apart(met: Mapping[tuple[Flaw, str], list[_Case]]) -> list[list[_Case]]:
    """Failures of one kind together; where one flaw has many kinds, the rest are counted with the last."""
    found: list[list[_Case]] = []
    for flaw in Flaw:
        kinds = [list(cases) for kind, cases in met.items() if kind[0] is flaw]
        for more in kinds[_MOST_KINDS:]:
            kinds[_MOST_KINDS - 1] += more
        found += kinds[:_MOST_KINDS]
    return found


def _output(tool: Mapping[str, Any]) -> Validator | None:
    schema = tool.get("outputSchema")
    if not isinstance(schema, Mapping):
        return None
    try:
        return Validator(dict(schema))
    except SchemaError:
        return None
