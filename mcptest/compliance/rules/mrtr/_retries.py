"""A request that asks for input, and the request that brings it.

A result with `resultType: input_required` ends its request. The client sends the request again, with what was asked for
under `inputResponses`, and with `requestState` as it was given. Nothing else says which result it belongs to, so rules
look at all results that it may belong to, and blame nobody as long as one of them fits.
"""

from __future__ import annotations

from typing import Any

from mcptest.compliance import shapes
from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Message,
    answers,
    inside,
    pointer,
    requests,
    results,
    same,
)
from mcptest.compliance.rules._asks import ASKING
from mcptest.protocol import NAMES

STATE, RESPONSES, REQUESTS = "requestState", "inputResponses", "inputRequests"
_MOST_PLACES = 4096
_MOST = 16
# Results of this shape came with the revision before, and were not changed since.
_SHAPES = "2025-11-25"


def paused(exchange: Exchange) -> bool:
    """Did it come to a question back, in the era that has them?"""
    return exchange.modern and exchange.result.get("resultType") == "input_required"


def is_retry(message: Message) -> bool:
    return message.modern and (STATE in message.params or RESPONSES in message.params)


def _paused(exchange: Exchange) -> tuple[Exchange, ...]:
    return (exchange,) if paused(exchange) else ()


def _retrying(message: Message) -> tuple[Message, ...]:
    return (message,) if is_retry(message) else ()


def _answered(exchange: Exchange) -> tuple[Exchange, ...]:
    return (exchange,) if is_retry(exchange.request) and exchange.cancelled is None else ()


# Few messages are of this kind, so they are sifted once for all rules.
PAUSED = inside(results().of(SERVER), _paused, "results that ask for input")
RETRIES = inside(requests(*ASKING).of(CLIENT), _retrying, "retries")
BRINGING = inside(requests().of(CLIENT), _retrying, "requests that bring input")
ANSWERED_RETRIES = inside(answers(*ASKING).of(SERVER), _answered, "retries")


def place(message: Message) -> tuple[str, str]:
    """What a request is about: its method, and the tool, prompt or resource."""
    return message.name, str(message.params.get(NAMES.get(message.name, "")))


class Pending:
    """The results that asked for input, newest last, by what their request was about."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str], list[Exchange]] = {}
        self.states: dict[str, tuple[str, str]] = {}  # which request each state was given for

    def note(self, exchange: Exchange) -> None:
        where = place(exchange.request)
        known = self._asked.pop(where, [])
        self._asked[where] = [*known[1 - _MOST :], exchange]
        if len(self._asked) > _MOST_PLACES:
            del self._asked[next(iter(self._asked))]
        state = exchange.result.get(STATE)
        if type(state) is str and len(self.states) < _MOST_PLACES:
            self.states.setdefault(state, where)

    def of(self, retry: Message) -> list[Exchange]:
        """What this may be the retry of: all that asked for input before it. A full list may have lost the right one,
        so it says nothing."""
        found = [one for one in self._asked.get(place(retry), []) if one.request is not retry]
        found = [one for one in found if one.place.seq < retry.seq]
        return found if len(found) < _MOST else []

    def fitting(self, retry: Message) -> list[Exchange]:
        """Those whose state it brings back; all, where none fits, since that is for MRTR-006 to say."""
        found = self.of(retry)
        return [one for one in found if same_state(one, retry)] or found


MEMORY, WATCH = Pending, inside(results(*ASKING).of(SERVER), _paused, "results")


def watch(exchange: Exchange, context: Context) -> None:
    context.memory.note(exchange)


def same_state(asked: Exchange, retry: Message) -> bool:
    return same(
        {STATE: asked.result[STATE]} if STATE in asked.result else {},
        {STATE: retry.params[STATE]} if STATE in retry.params else {},
    )


def questions(exchange: Exchange) -> dict[str, Any]:
    found = exchange.result.get(REQUESTS)
    return found if type(found) is dict else {}


def responses(message: Message) -> dict[str, Any]:
    found = message.params.get(RESPONSES)
    return found if type(found) is dict else {}


def missing(asked: Exchange, retry: Message) -> list[str]:
    """The keys that were asked for and not answered."""
    return [key for key in questions(asked) if key not in responses(retry)]


def extra(asked: Exchange, retry: Message) -> list[str]:
    return [key for key in responses(retry) if key not in questions(asked)]


def malformed(asked: dict[str, Any], answered: dict[str, Any]) -> list[tuple[str, str]]:
    """Answers that are none to their question: a pointer below the answers, and what is wrong."""
    found: list[tuple[str, str]] = []
    for key, value in answered.items():
        question = asked.get(key)
        method = question.get("method") if type(question) is dict else None
        if type(method) is not str:
            continue
        misfits = shapes.problems(_SHAPES, CLIENT, method, shapes.RESULT, value)
        found += [(pointer(key) + misfit.pointer, f"{method}: {misfit.message[:200]}") for misfit in misfits]
    return found


def changed(asked: Exchange, retry: Message) -> list[str]:
    """The other parameters that differ between the first request and this one."""
    ours = {STATE, RESPONSES, "_meta"}
    before = {key: value for key, value in asked.params.items() if key not in ours}
    after = {key: value for key, value in retry.params.items() if key not in ours}
    return sorted(key for key in before.keys() | after.keys() if not same(before.get(key, {}), after.get(key, {})))
