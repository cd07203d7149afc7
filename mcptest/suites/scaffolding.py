"""A suite from a recording: each distinct call with what can be expected of it, confirmed by the live server.

Only what reads is called: once more each, to see what stays. Mutating tools are written down and not called, and of
destructive ones the test begins with a comment that asks for a look first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from mcptest import __version__, catalogue
from mcptest.analyzers import lint, score
from mcptest.capture import Place
from mcptest.errors import TargetError
from mcptest.live import Keeping, Manner
from mcptest.policy import REVIEW_MARKER, Classified, Context, Decision, Gate, Policy, Refused, classify, graver
from mcptest.probes import Settings, Visits, known, probe_tool
from mcptest.replay import Recording, carried, listed, placeholders
from mcptest.suites.proposing import kind, propose
from mcptest.suites.writing import Draft
from mcptest.transport import Target
from mcptest.wire.message import REQUEST

_BLOCKS = {"tools/call": "tools", "resources/read": "resources", "prompts/get": "prompts"}
_NAMES = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}
_KEYS = {"tools/call": "tool", "resources/read": "uri", "prompts/get": "prompt"}
_LONGEST_NAME = 60
_STRICT = ("missing_required", "wrong_type", "extra_field")
_ASKS = "the server asks its client for something before it answers, which a suite does not answer"
_CARRIED = "its arguments came out of an earlier answer, and the server makes up others each time"
_REDACTED = "a secret was removed from its arguments when they were recorded"
_PUT_BACK = "the recording has a placeholder where a secret stood: put ${VARIABLE} there, and take out `skip`"


class Call(NamedTuple):
    """One distinct request of a recording, with all recorded answers to it."""

    method: str
    name: str
    args: Any
    answers: tuple[dict[str, Any], ...] = ()
    asks: bool = False
    carried: bool = False  # something in it came out of an earlier answer


class Scaffold(NamedTuple):
    """What is to be written, and what to tell of it."""

    drafts: tuple[Draft, ...]
    serial: int = 0
    review: int = 0
    skipped: int = 0
    called: int = 0


def distinct(recording: Recording) -> tuple[Call, ...]:
    """The calls, reads and gets of a recording, each once, in recorded order."""
    found: dict[bytes, Call] = {}
    brought = carried(recording)
    for number, turn in enumerate(recording.turns):
        params = turn.params
        if turn.kind != REQUEST or turn.method not in _BLOCKS or not isinstance(params, dict):
            continue
        name, args = params.get(_NAMES[turn.method]), params.get("arguments")
        if not isinstance(name, str) or not name or "inputResponses" in params or "requestState" in params:
            continue
        key = json.dumps([turn.method, name, args], sort_keys=True).encode()
        call = found.setdefault(key, Call(turn.method, name, args, carried=number in brought))
        answer = _body(turn.answer)
        asks = any(said.kind == REQUEST for said in turn.during) or _asks_for_input(answer)
        answers = call.answers if answer is None else (*call.answers, answer)
        found[key] = call._replace(answers=answers, asks=call.asks or asks)
    return tuple(found.values())


def _body(text: str | None) -> dict[str, Any] | None:
    try:
        found = orjson.loads(text) if text is not None else None
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _asks_for_input(answer: Mapping[str, Any] | None) -> bool:
    result = (answer or {}).get("result")
    return isinstance(result, dict) and result.get("resultType") == "input_required"


async def scaffold(
    recording: Recording,
    target: Target,
    *,
    policy: Policy = Policy(),  # noqa: B008 -- immutable
    timeout: float = 30.0,
    place: Place | None = None,
    complain: Callable[[str], None] = lambda _: None,
) -> Scaffold:
    """Visit the server, confirm what it still answers, and draft a suite. TargetError if it cannot be reached."""
    keeping = None
    if place is not None:
        keeping = Keeping(place, "init", complain=complain, about={"replay_of": recording.session or "a recording"})
    manner = Manner(version=__version__, timeout=timeout)
    async with Visits(target, manner, keeping=keeping) as visits:
        tools = {
            tool["name"]: tool for tool in await (await visits.client()).tools() if isinstance(tool.get("name"), str)
        }
        author = _Author(recording, visits, tools, Gate(policy, http=target.is_http), policy)
        drafts = [await author.draft(call) for call in distinct(recording)]
        drafts += await author.negative()
        drafts += author.quality()
    return Scaffold(tuple(drafts), author.serial, author.review, author.skipped, author.called)


class _Author:
    def __init__(
        self, recording: Recording, visits: Visits, tools: Mapping[str, dict[str, Any]], gate: Gate, policy: Policy
    ) -> None:
        self._visits, self._tools, self._gate, self._policy = visits, tools, gate, policy
        self._calls = distinct(recording)
        self._recorded = listed(recording, "tool")
        self._times = Counter((call.method, call.name) for call in self._calls)
        self._shown: set[str] = set()  # tools whose output schema was written down
        self._names: Counter[tuple[str, str]] = Counter()
        self.serial = self.review = self.skipped = self.called = 0

    # ---- one entry for each call

    async def draft(self, call: Call) -> Draft:
        comments: list[str] = []
        keys: dict[str, Any] = {"name": self._name(call), _KEYS[call.method]: call.name}
        if call.args is not None and call.method != "resources/read":
            keys["args"] = call.args
        decision = self._decision(call)
        if decision in (Decision.GENERATE_ONLY, Decision.REFUSE):
            comments.append(f"{REVIEW_MARKER}: {self._class(call.name).reason}, and the call was never made again")
            self.review += 1
        if decision is not Decision.EXECUTE:
            keys["serial"] = True
            self.serial += 1
        answers, why = await self._answers(call, decision)
        if why is not None:
            self.skipped += 1
            comments += [_PUT_BACK] if why is _REDACTED else []
            return Draft(_BLOCKS[call.method], {**keys, "skip": why}, tuple(comments))
        schema = self._tools.get(call.name, {}).get("outputSchema") if call.method == "tools/call" else None
        again = call.name in self._shown
        expect = [one.as_dict() for one in propose(answers, schema, again=again)] if answers else []
        self._shown |= {call.name} if schema is not None else set()
        if not expect:
            comments.append("nothing of its answers was seen to stay the same: it only must not fail")
        return Draft(_BLOCKS[call.method], {**keys, **({"expect": expect} if expect else {})}, tuple(comments))

    async def _answers(self, call: Call, decision: Decision) -> tuple[list[dict[str, Any]], str | None]:
        """All answers that may be compared, or why the entry cannot be run for now."""
        if call.asks:
            return [], _ASKS
        if placeholders(call.args) or placeholders(call.name):
            return [], _REDACTED
        if decision is not Decision.EXECUTE:
            return list(call.answers), _CARRIED if call.carried else _disagreement(call.answers)
        live, why = await self._again(call)
        if live is None:
            return [], why
        answers = [*call.answers, live]
        return answers, _disagreement(answers)

    async def _again(self, call: Call) -> tuple[dict[str, Any] | None, str | None]:
        params: dict[str, Any] = {_NAMES[call.method]: call.name}
        if call.args is not None:
            params["arguments"] = call.args
        try:
            client = await self._visits.client()
            if call.method != "tools/call":
                return (await client.ask(call.method, params)).body, None
            async with self._gate.call(self._class(call.name)):
                self.called += 1
                return (await client.ask(call.method, params)).body, None
        except TimeoutError:
            await self._visits.leave()
            return None, "it was not answered when it was asked again"
        except Refused as refused:
            return None, str(refused)
        except TargetError as error:
            await self._visits.leave()
            return None, f"when it was asked again, {error}"

    def _decision(self, call: Call) -> Decision:
        if call.method != "tools/call":
            return Decision.EXECUTE
        return self._policy.decide(self._class(call.name).tool_class, Context.CAN_EMIT_TEST)

    def _class(self, name: str) -> Classified:
        """By what the live server says of the tool, or the recording, whichever asks for more care."""
        live = classify(name, self._tools.get(name, {}).get("annotations"))
        if name in self._recorded:
            return graver(live, classify(name, self._recorded[name].get("annotations")))
        return live

    def _name(self, call: Call) -> str:
        name = call.name
        if self._times[call.method, call.name] > 1:
            name = f"{name} {_hint(call.args)}".rstrip()
        name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
        self._names[call.method, name] += 1
        number = self._names[call.method, name]
        return name if number == 1 else f"{name} #{number}"

    # ---- beside the calls

    async def negative(self) -> list[Draft]:
        """For each tool that may be called freely and says what it takes: the probes that its server withstands."""
        drafts = []
        for name in dict.fromkeys(call.name for call in self._calls if call.method == "tools/call"):
            tool = self._tools.get(name)
            free = self._policy.decide(self._class(name).tool_class) is Decision.EXECUTE
            if tool is None or not free or not _is_strict(tool.get("inputSchema")):
                continue
            base = next((call.args for call in self._calls if call.name == name and _is_good(call)), None)
            if base is None:
                continue
            try:
                report = await probe_tool(self._visits, tool, base, known(None), Settings(timeout=5.0), self._gate)
            except TargetError:
                await self._visits.leave()
                continue
            withstood = [one.check for one in report.results if one.verdict.ran and not one.verdict.failed]
            if not any(check in _STRICT for check in withstood):
                continue
            left = [f"left out: {one.check}, {one.verdict.value}" for one in report.results if one.verdict.failed]
            keys = {"name": f"{name} rejects bad requests", "tool": name, "args": base}
            drafts.append(Draft("tools", {**keys, "negative_path": {"checks": withstood}}, tuple(left)))
        return drafts

    def quality(self) -> list[Draft]:
        """Today's counts as limits, so that none of them grows."""
        if not self._tools:
            return []
        text = json.dumps({"tools": list(self._tools.values())}, ensure_ascii=False)
        found = catalogue.read(text, "tools")
        now = score(found, lint(found))
        counts = ("critical_count", "schema_criticals", "schema_warnings")
        expect = [{"target": name, "matcher": {"schema": {"maximum": getattr(now, name)}}} for name in counts]
        comment = "today's counts: lower them as the tools get better (mcptest schema-lint, mcptest analyze)"
        return [Draft("tool_quality", {"name": "tools do not get worse", "expect": expect}, (comment,))]


def _is_strict(schema: Any) -> bool:
    """Does it demand something, or refuse what it does not declare?"""
    if not isinstance(schema, dict) or not schema.get("properties"):
        return False
    return bool(schema.get("required")) or schema.get("additionalProperties") is False


def _is_good(call: Call) -> bool:
    fine = any(kind(answer) == "a result" for answer in call.answers)
    return call.method == "tools/call" and isinstance(call.args, dict) and fine and not placeholders(call.args)


def _disagreement(answers: Sequence[Mapping[str, Any]]) -> str | None:
    kinds = list(dict.fromkeys(map(kind, answers)))
    if len(kinds) < 2:
        return None
    return f"it was answered with {kinds[0]} and later with {kinds[1]}: it depends on what was done before"


def _hint(args: Any) -> str:
    if not isinstance(args, dict):
        return ""
    return " ".join(f"{key}={value}" for key, value in args.items() if isinstance(value, str | int | float))
