"""A client's replies to its server, taken from the recording: roots, sampling, elicitation, and whatever else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from mcptest.jsontext import same
from mcptest.replay.plan import Recording
from mcptest.replay.turns import Said, body
from mcptest.wire.message import REQUEST


class Reply(NamedTuple):
    """`said` is the recorded request that a live one was taken for; `content` its `result` or `error`, None where the
    recorded client never replied; `step` the step that it belongs to."""

    said: Said | None
    content: dict[str, Any] | None
    step: int | None = None


class _Known(NamedTuple):
    step: int
    said: Said
    params: Any


class Replies:
    """Answers each live request as the recorded one that it resembles most and that was not used yet."""

    def __init__(self, recording: Recording) -> None:
        self._known: dict[str, list[_Known]] = {}
        self._used: set[int] = set()
        self._add(-1, recording.unprompted)
        for number, turn in enumerate(recording.turns):
            self._add(number, (*turn.during, *turn.after))

    def _add(self, step: int, said: Iterable[Said]) -> None:
        for one in said:
            if one.kind == REQUEST:
                self._known.setdefault(one.method, []).append(_Known(step, one, body(one.raw).get("params")))

    def to(self, message: dict[str, Any], step: int) -> Reply:
        method, params = message["method"], message.get("params")
        known = self._known.get(method, [])
        fresh = [one for one in known if one.said.seq not in self._used]
        found = max(fresh, key=lambda one: (same(one.params, params), one.step == step), default=None)
        if found is None and known:
            found = known[-1]
        if found is None:
            if method == "ping":
                return Reply(None, {"result": {}})
            text = f"the recording holds no {method} to reply to this with"
            return Reply(None, {"error": {"code": -32601, "message": text}})
        self._used.add(found.said.seq)
        reply = None if found.said.reply is None else body(found.said.reply)
        content = None if reply is None else {key: reply[key] for key in reply if key in ("result", "error")}
        return Reply(found.said, content, found.step)
