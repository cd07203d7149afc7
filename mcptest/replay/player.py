"""The player: says again what a recorded client said, to a live server, and keeps what came back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, NamedTuple

from mcptest.policy import Classified, Decision, Gate, Refused, classify, graver
from mcptest.protocol import LISTS, methods
from mcptest.replay.carrying import apply, rekey
from mcptest.replay.hearing import Hearing
from mcptest.replay.outcomes import Heard, Outcome, Run, Status
from mcptest.replay.plan import Recording, Step, cancelled_by, definitions, is_input_required, listed, plan
from mcptest.replay.redacted import fill_in
from mcptest.replay.replies import Replies
from mcptest.replay.turns import body, exact
from mcptest.transport import Answer, Ears, Lost, Peer
from mcptest.wire import Id
from mcptest.wire.message import NOTIFICATION, REQUEST, identify

_TIMEOUT = 30.0
_TIMEOUT_FACTOR = 3  # of the recorded duration, where that is longer
_MOST_PAGES = 100
_READS = {"resources/read", "prompts/get", "completion/complete", *LISTS}


class Manner(NamedTuple):
    """How to play. `parallel` keeps the recorded overlap of requests; `recorded_pace` the pauses between them; with
    `twice`, everything that only reads is asked twice, to learn what varies; what the server says by itself the second
    time is not heard."""

    parallel: bool = False
    recorded_pace: bool = False
    twice: bool = False
    timeout: float = _TIMEOUT
    secrets: Mapping[str, str] = {}


class Player(Ears):
    def __init__(self, recording: Recording, gate: Gate, manner: Manner) -> None:
        self._steps = plan(recording)
        self._gate, self._manner = gate, manner
        self._replies = Replies(recording)
        self._recorded_tools = listed(recording, "tool")
        self._live_tools: dict[str, Any] | None = None
        self._peer: Peer
        self._outcomes: dict[int, Outcome] = {}
        self._varied: list[Outcome] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self._pending: dict[int, asyncio.Task[None]] = {}
        self._hearing = Hearing()
        self._unheard: set[int] = set()  # steps whose share of what the server says by itself was not waited for yet
        self._tokens: dict[str, int] = {}
        self._ids: dict[Id, Any] = {}
        self._used: set[Id] = set()
        self._abandoned: list[tuple[int, Any]] = []  # requests that are to be taken back: by which frame, and their id
        self._own = 0
        self._current = -1
        self._spoke = time.monotonic()
        self._stopped: str | None = None

    async def play(self, peer: Peer) -> Run:
        """All of it, or until the server dies or hangs."""
        self._peer = peer
        try:
            for step in self._steps:
                await self._until_due(step)
                if self._stopped:
                    break
                await self._take(step)
            await self._wait_for(self._pending)
            await self._hear_out()
        except Lost as lost:
            self._stop(str(lost))
        for task in self._pending.values():
            task.cancel()
        return self._run()

    def _run(self) -> Run:
        outcomes = (self._outcomes.get(step.number) or Outcome(step, Status.NOT_RUN) for step in self._steps)
        return Run(tuple(outcomes), tuple(self._hearing.heard), None, self._stopped, tuple(self._varied))

    def _stop(self, reason: str) -> None:
        self._stopped = self._stopped or reason

    # ---- when

    async def _until_due(self, step: Step) -> None:
        waited = set(step.after) if self._manner.parallel else set(self._pending)
        await self._wait_for({number: self._pending[number] for number in waited & set(self._pending)})
        await self._hear_out()
        await self._take_back(step.turn.seq)
        if self._manner.recorded_pace:
            await asyncio.sleep(max(0.0, self._spoke + step.gap / 1e9 - time.monotonic()))
        self._spoke = time.monotonic()

    async def _wait_for(self, tasks: Mapping[int, asyncio.Task[None]]) -> None:
        if tasks:
            await asyncio.wait(tasks.values())
            for number in list(tasks):
                self._pending.pop(number, None)

    async def _hear_out(self) -> None:
        """What the server says of its own accord about what was done so far."""
        ran = [number for number in self._unheard if number in self._outcomes]
        self._unheard.difference_update(ran)
        steps = [self._steps[number] for number in ran if self._outcomes[number].status is Status.RAN]
        await self._hearing.out(steps, lambda: self._peer.over is not None)

    # ---- what

    async def _take(self, step: Step) -> None:
        self._unheard.add(step.number)
        message = exact(step.turn.raw)
        if step.turn.kind == NOTIFICATION:
            await self._tell(step, message)
            return
        stack = AsyncExitStack()
        try:
            message = self._prepare(step, message)
            if step.turn.method == methods.CALL_TOOL:
                await stack.enter_async_context(await self._let_through(step, message))
            await self._begin(step, message, stack)
        except _Skip as skip:
            self._outcomes[step.number] = Outcome(step, Status.SKIPPED, reason=str(skip))
        except Refused as refused:
            self._outcomes[step.number] = Outcome(step, Status.SKIPPED, reason=str(refused), refused=refused.reason)

    async def _tell(self, step: Step, message: dict[str, Any]) -> None:
        meant = cancelled_by(step.turn) if step.turn.method == methods.CANCELLED else None
        if meant in self._ids:
            message = {**message, "params": {**message["params"], "requestId": self._ids[meant]}}
        self._current = step.number
        await self._say(message)
        self._outcomes[step.number] = Outcome(step, Status.RAN)

    async def _say(self, notification: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(self._manner.timeout):
                await self._peer.tell(notification)
        except TimeoutError:
            raise Lost(f"{notification['method']} was not taken within {self._manner.timeout:g} s") from None

    async def _take_back(self, until: int) -> None:
        """What the recorded client had taken back by this frame, by closing its stream: not all transports have one."""
        for one in [one for one in self._abandoned if one[0] < until]:
            self._abandoned.remove(one)
            await self._say({"jsonrpc": "2.0", "method": methods.CANCELLED, "params": {"requestId": one[1]}})

    def _prepare(self, step: Step, message: dict[str, Any]) -> dict[str, Any]:
        """The recorded request with a free id, and with the values that only the live server can know."""
        recorded = step.turn.id or Id("null", "null")
        message = {**message, "id": self._free_id(recorded, message.get("id"))}
        self._ids[recorded] = message["id"]
        if step.turn.token is not None:
            self._tokens[step.turn.token] = step.number
        if "params" not in message:
            return message
        params = apply(message["params"], step.carries, self._answers)
        if step.leg_of is not None:
            live = self._answers.get(step.leg_of)
            if live is None or not is_input_required(live):
                raise _Skip("the server did not ask for the input that this request brings")
            params = rekey(params, body(self._steps[step.leg_of].turn.answer or "{}"), live)
        return {**message, "params": fill_in(params, self._manner.secrets)}

    def _free_id(self, recorded: Id, value: Any) -> Any:
        if type(value) not in (str, int) or recorded in self._used:
            return self._own_id()
        self._used.add(recorded)
        return value

    def _own_id(self) -> str:
        self._own += 1
        return f"mcptest-{self._own}"

    async def _let_through(self, step: Step, message: dict[str, Any]) -> AbstractAsyncContextManager[None]:
        if self._live_tools is None:
            await self._list_tools(message)
        return self._gate.call(self._class_of(step.turn.name or ""), again=step.leg_of is not None)

    def _class_of(self, name: str) -> Classified:
        """By what the live server says of the tool; where it says nothing, by the name or, if that is graver, by what
        the recording says: a recording may come from anybody."""
        live = (self._live_tools or {}).get(name)
        if live is not None:
            return classify(name, live.get("annotations"))
        recorded = self._recorded_tools.get(name, {})
        return graver(classify(name), classify(name, recorded.get("annotations")))

    async def _list_tools(self, call: dict[str, Any]) -> None:
        """Before the first call of a tool, where the recorded client had not asked what there is."""
        self._live_tools = {}
        params = call.get("params")
        meta = params.get("_meta") if type(params) is dict else None
        asked: dict[str, Any] = {"_meta": {k: v for k, v in meta.items() if "/" in k}} if type(meta) is dict else {}
        for _ in range(_MOST_PAGES):
            message = {"jsonrpc": "2.0", "id": self._own_id(), "method": "tools/list", "params": asked}
            answer = await self._ask(message, None)
            self._live_tools |= definitions(answer.body, "tools")
            result = answer.body.get("result")
            cursor = result.get("nextCursor") if type(result) is dict else None
            if type(cursor) is not str:
                return
            asked = {**asked, "cursor": cursor}

    async def _begin(self, step: Step, message: dict[str, Any], stack: AsyncExitStack) -> None:
        self._current = step.number
        try:
            async with asyncio.timeout(self._patience(step)):
                future = await self._peer.begin(message)
        except TimeoutError:
            raise Lost(f"{step.label} could not be sent within {self._patience(step):.3g} s") from None
        if not step.waits:
            if step.abandoned is not None:
                self._abandoned.append((step.abandoned, message["id"]))
            self._outcomes[step.number] = Outcome(step, Status.RAN, id=identify(message["id"], b""))
            await stack.aclose()
            return
        task = asyncio.get_running_loop().create_task(self._finish(step, message, future, stack))
        self._pending[step.number] = task
        if not self._manner.parallel:
            await self._wait_for({step.number: task})

    async def _finish(
        self, step: Step, message: dict[str, Any], future: asyncio.Future[Answer], stack: AsyncExitStack
    ) -> None:
        identity = identify(message["id"], b"")
        async with stack:
            try:
                async with asyncio.timeout(self._patience(step)):
                    answer = await future
                self._keep(step, answer, identity)
                await stack.aclose()
                if self._manner.twice and self._may_repeat(step):
                    await self._again(step, message)
            except TimeoutError:
                reason = f"no answer to {step.label} within {self._patience(step):.3g} s"
                self._outcomes[step.number] = Outcome(step, Status.UNANSWERED, reason=reason, id=identity)
                self._stop(reason)
            except Lost as lost:
                self._outcomes[step.number] = Outcome(step, Status.UNANSWERED, reason=str(lost), id=identity)
                self._stop(str(lost))

    def _keep(self, step: Step, answer: Answer, identity: Id) -> None:
        self._answers[step.number] = answer.body
        self._outcomes[step.number] = Outcome(step, Status.RAN, answer.body, answer.duration, id=identity)
        if step.turn.method == "tools/list":
            self._live_tools = {**(self._live_tools or {}), **definitions(answer.body, "tools")}

    def _patience(self, step: Step) -> float:
        return max(self._manner.timeout, _TIMEOUT_FACTOR * (step.turn.duration or 0) / 1e9)

    async def _ask(self, message: dict[str, Any], step: Step | None) -> Answer:
        timeout = self._manner.timeout if step is None else self._patience(step)
        try:
            return await self._peer.ask(message, timeout)
        except TimeoutError:
            raise Lost(f"no answer to {message['method']} within {timeout:g} s") from None

    # ---- again, to learn what varies

    def _may_repeat(self, step: Step) -> bool:
        """Only what reads, and never the leg of a longer exchange."""
        if step.leg_of is not None or is_input_required(self._answers[step.number]):
            return False
        if step.turn.method != methods.CALL_TOOL:
            return step.turn.method in _READS
        return self._gate.policy.decide(self._class_of(step.turn.name or "").tool_class) is Decision.EXECUTE

    async def _again(self, step: Step, message: dict[str, Any]) -> None:
        async with AsyncExitStack() as stack:
            if step.turn.method == methods.CALL_TOOL:
                try:
                    await stack.enter_async_context(self._gate.call(self._class_of(step.turn.name or "")))
                except Refused:
                    return
            self._hearing.deaf = True
            try:
                answer = await self._ask({**message, "id": self._own_id()}, step)
            finally:
                self._hearing.deaf = False
        self._varied.append(Outcome(step, Status.RAN, answer.body, answer.duration))

    # ---- what the server says by itself

    def notified(self, message: dict[str, Any]) -> None:
        params = message.get("params")
        step = self._current
        if message["method"] == methods.PROGRESS and type(params) is dict:
            token = identify(params.get(methods.PROGRESS_TOKEN), b"")
            step = self._tokens.get(f"{token.type}:{token.text}", step)
        self._hearing.hear(Heard(step, NOTIFICATION, message["method"], params))

    def asked(self, message: dict[str, Any]) -> dict[str, Any] | None:
        reply = self._replies.to(message, self._current)
        step = self._current if reply.step is None else reply.step
        self._hearing.hear(Heard(step, REQUEST, message["method"], message.get("params"), reply.said))
        return None if reply.content is None else dict(fill_in(reply.content, self._manner.secrets))


class _Skip(Exception):  # noqa: N818 -- not an error
    """Why a step makes no sense any more."""
