"""Send bad requests, one probe after the other, to a server that is whole before each of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from mcptest.errors import TargetError
from mcptest.policy import Gate, Refused
from mcptest.probes.answers import Reply
from mcptest.probes.check import Check
from mcptest.probes.outcomes import ProbeReport, Result, Settings, Verdict
from mcptest.probes.subject import Skip, Spoilt, Subject
from mcptest.probes.talk import Seen, Talk, worst
from mcptest.probes.visits import Visits

_WELL = 5.0  # seconds for a server to answer a good request after a bad one

Progress = Callable[[Result], None]


async def probe_tool(
    visits: Visits,
    tool: Mapping[str, Any],
    base: Mapping[str, Any] | None,
    checks: Sequence[Check],
    settings: Settings,
    gate: Gate,
    *,
    progress: Progress = lambda _: None,
) -> ProbeReport:
    """Probe one tool, given as tools/list gives it. `base` are good arguments, None to make some up. TargetError if the
    server cannot be met at all."""
    subject = Subject(tool, base, settings.oversized)
    return ProbeReport(subject.name, await _probe(visits, subject, checks, settings, gate, progress))


async def probe_server(
    visits: Visits, checks: Sequence[Check], settings: Settings, gate: Gate, *, progress: Progress = lambda _: None
) -> ProbeReport:
    """The probes that need no tool, once for the whole server."""
    return ProbeReport(None, await _probe(visits, None, checks, settings, gate, progress))


async def _probe(
    visits: Visits,
    subject: Subject | None,
    checks: Sequence[Check],
    settings: Settings,
    gate: Gate,
    progress: Progress,
) -> tuple[Result, ...]:
    results = []
    for check in checks:
        try:
            talk = Talk(await visits.client(), visits, subject, gate, settings)
        except TargetError as error:
            if not visits.starts:
                raise
            result = _result(check, subject, Verdict.SKIPPED, f"the server cannot be met again: {error}")
        else:
            result = await _run(check, talk)
        results.append(result)
        progress(result)
    return tuple(results)


async def _run(check: Check, talk: Talk) -> Result:
    began = time.perf_counter()
    subject = talk.subject
    try:
        if check.spoil is not None:
            if subject is None:
                return _result(check, None, Verdict.SKIPPED, "there is no tool to call")
            seen = await _spoil(list(islice(check.spoil(subject), talk.settings.most_cases)), talk)
        else:
            assert check.converse is not None
            seen = [await _afterwards(await check.converse(talk), talk)]
    except Skip as skip:
        return _result(check, subject, Verdict.SKIPPED, str(skip))
    except Refused as refused:
        return _result(check, subject, Verdict.REFUSED, str(refused))._replace(refused=refused.reason)
    except TargetError as error:  # in a conversation that the probe opened by itself
        return _result(check, subject, Verdict.SKIPPED, str(error))
    if not seen:
        return _result(check, subject, Verdict.SKIPPED, "nothing in its input schema can be spoilt in this way")
    one = worst(seen)
    alike = sum(other.verdict is one.verdict for other in seen)
    more = f" (and {alike - 1} more of {len(seen)})" if alike > 1 and one.verdict.failed else ""
    return Result(
        check.name,
        check.taxonomy,
        subject.name if subject is not None else None,
        one.verdict,
        one.evidence + more,
        (time.perf_counter() - began) * 1000,
        one.session or talk.visits.session,
        one.arguments,
        None,
        len(seen),
    )


async def _spoil(cases: list[Spoilt], talk: Talk) -> list[Seen]:
    """Call with each of the bad arguments; what breaks the server ends it."""
    assert talk.subject is not None
    seen: list[Seen] = []
    for case in cases:
        try:
            reply = await talk.call(talk.subject.name, case.arguments, annotations=talk.subject.tool.get("annotations"))
        except Refused:
            if not seen:
                raise
            break
        one = talk.seen(reply, case.what, strict=case.strict, arguments=case.arguments)
        if not case.answered and reply.is_silence:
            one = Seen(Verdict.PASSED, f"{case.what}: not answered, and survived", case.arguments)
        one = await _afterwards(one, talk)
        seen.append(one)
        if one.verdict in (Verdict.CRASHED, Verdict.HUNG):
            break
    return seen


async def _afterwards(seen: Seen, talk: Talk) -> Seen:
    """Whatever was answered, the server must still be there: a good request is asked after every bad one."""
    seen = seen._replace(session=seen.session or talk.visits.session)
    if seen.verdict in (Verdict.PASSED, Verdict.ACCEPTED, Verdict.VIOLATED):
        reply = await talk.ask(*talk.visits.good_request, timeout=min(_WELL, talk.settings.timeout))
        broken = _broken(reply)
        if broken is None:
            return seen
        seen = seen._replace(verdict=broken[0], evidence=f"{seen.evidence}; then {broken[1]}")
    await talk.visits.leave()
    return seen


def _broken(reply: Reply) -> tuple[Verdict, str] | None:
    if reply.lost is not None:
        return Verdict.CRASHED, reply.lost
    return (Verdict.HUNG, f"it answered nothing more within {reply.waited:g} s") if reply.is_silence else None


def _result(check: Check, subject: Subject | None, verdict: Verdict, evidence: str) -> Result:
    return Result(check.name, check.taxonomy, subject.name if subject is not None else None, verdict, evidence)
