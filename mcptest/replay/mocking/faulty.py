"""A conversation that goes wrong as it was asked to."""

from __future__ import annotations

from typing import Any

from mcptest.replay.mocking.acts import Act, Converser, Thinker, error
from mcptest.replay.mocking.faults import Effect, Faults
from mcptest.replay.mocking.library import OPENING
from mcptest.replay.mocking.splicing import id_text
from mcptest.wire import parse
from mcptest.wire.message import REQUEST


class Faulty:
    """A brain with faults: they are counted over all its conversations."""

    def __init__(self, brain: Thinker, faults: Faults) -> None:
        self._brain, self._faults = brain, faults

    def converse(self) -> Converser:
        return _Conversation(self._brain.converse(), self._faults)


class _Conversation:
    def __init__(self, inner: Converser, faults: Faults) -> None:
        self._inner, self._faults = inner, faults
        self._late: dict[str, Effect] = {}

    def open(self) -> list[Act]:
        return self._inner.open()

    def learn(self, request: dict[str, Any], answer: bytes) -> None:
        self._inner.learn(request, answer)

    def receive(self, data: bytes) -> list[Act]:
        message = parse(data)[0]
        if message.kind == REQUEST and message.id is not None and message.method not in OPENING:
            live, effect = id_text(message.id), self._faults.next()
            instead = _instead(effect, live)
            if instead is not None:
                return instead
            self._late[live] = effect
        return [self._spoil(act) for act in self._inner.receive(data)]

    def _spoil(self, act: Act) -> Act:
        effect = self._late.pop(act.request or "", None) if act.is_answer else None
        if effect is None:
            return act
        data = act.data[: max(1, len(act.data) * 2 // 3)] if effect.malformed else act.data
        return act._replace(data=data, late=effect.late)


def _instead(effect: Effect, live: str) -> list[Act] | None:
    """What a fault does in the place of an answer; None where the answer comes all the same."""
    if effect.wedge:
        return [Act(wedge=True)]
    if effect.disconnect:
        return [Act(disconnect=True)]
    if not effect.answer:
        return []
    if effect.error is not None:
        return [error(live, effect.error, "mcptest mock: a fault, as asked for")._replace(late=effect.late)]
    return None
