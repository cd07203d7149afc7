"""What is still fresh is not asked for again, and its time to live is no clock to poll by.

Asking again before `ttlMs` is over, with no change announced and no error meanwhile, is only mentioned: a user may have
wished it. Asking again and again just when it is over is warned about, from the fifth time on: many clients that do so
come all at once. Only on stdio, where it is the same client that asks.
"""

from typing import Any, NamedTuple

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Message,
    Remarks,
    answers,
    info,
    notifications,
    requests,
    warning,
)
from mcptest.compliance.rules.cache._hints import METHODS, complete, request_key

ID = "CACHE-006"
ON = requests(*METHODS).of(CLIENT)._replace(noun="requests for what was cached")
_CHANGED = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/prompts/list_changed": ("prompts/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
    "notifications/resources/updated": ("resources/read",),
}
WATCH = (answers(*METHODS).of(SERVER), notifications(*_CHANGED).of(SERVER))
_MOST = 4096
_OFTEN = 5
_NEAR = 0.02  # how close to the time to live asking again is, as a part of it


class _Kept(NamedTuple):
    """When a result came, and for how long it is fresh, in ns."""

    at: int
    ttl: float


class MEMORY:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, bytes], _Kept] = {}
        self.polled: dict[tuple[str, bytes], int] = {}


def watch(subject: Exchange | Message, context: Context) -> None:
    kept = context.memory.kept
    if isinstance(subject, Message):
        for key in [key for key in kept if key[0] in _CHANGED[subject.name]]:
            del kept[key]
        return
    ttl: Any = subject.result.get("ttlMs")
    fresh = type(ttl) in (int, float) and ttl > 0 and complete(subject)
    if not kept and not fresh:
        return
    key = request_key(subject.request)
    kept.pop(key, None)
    if fresh and len(kept) < _MOST:
        kept[key] = _Kept(subject.place.mono, ttl * 1e6)


def applies(message: Message, context: Context) -> bool:
    kept = context.memory.kept
    return bool(kept) and context.history.transport == "stdio" and message.modern and request_key(message) in kept


def check(message: Message, context: Context) -> Remarks:
    key, memory = request_key(message), context.memory
    kept = memory.kept[key]
    age = message.mono - kept.at
    near = abs(age - kept.ttl) <= _NEAR * kept.ttl
    memory.polled[key] = memory.polled.get(key, 0) + 1 if near and len(memory.polled) < _MOST else 0
    if memory.polled[key] >= _OFTEN:
        yield warning(f"{message.name} is asked for again and again, each time when the last result has just expired")
    elif age < kept.ttl and not near:
        left = (kept.ttl - age) / 1e9
        yield info(f"{message.name} is asked for again, and what came before is fresh for another {left:.1f} s")
