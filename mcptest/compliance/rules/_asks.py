"""What a server asks of its client (elicitation, sampling, roots) and what it is told, in both eras.

With a handshake the server sends a request, and a result answers it. In the stateless era the question stands under
`inputRequests` in a result, and what answers it under `inputResponses` in the request that the client sends again. Such
an answer does not say which question it belongs to: that is found by what the request is about, its `requestState` and
the key, so a rule about answers remembers questions (`MEMORY, WATCH, watch = Questions, INPUTS, note`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Message,
    On,
    Part,
    inside,
    pointer,
    requests,
    results,
    same,
)
from mcptest.protocol import NAMES

ASKING = ("tools/call", "resources/read", "prompts/get")  # what may be answered with questions
_MOST_PLACES = 4096
_MOST_QUESTIONS = 16


def asked(method: str, noun: str) -> tuple[On, On]:
    """Parts: the params of each question of this method, `None` where it has none."""

    def of_request(message: Message) -> Iterable[Part]:
        return (_question(message),)

    def of_result(exchange: Exchange) -> Iterable[Part]:
        return [question for question in inputs(exchange) if question.name == method]

    return (
        inside(requests(method).of(SERVER), of_request, noun),
        inside(results(*ASKING).of(SERVER), of_result, noun),
    )


def told(method: str, noun: str) -> tuple[On, On]:
    """Parts: what the client answered to questions of this method; in the stateless era to any question, and
    `questions_of` tells which."""
    return inside(results(method).of(CLIENT), _of_answer, noun), inside(requests(*ASKING).of(CLIENT), _of_retry, noun)


def called(noun: str, selectors: tuple[On, ...]) -> tuple[On, ...]:
    """The same selectors, for a rule that counts only some of what they give."""
    return tuple(on._replace(noun=noun) for on in selectors)


def inputs(exchange: Exchange) -> Iterable[Part]:
    """The questions in a result, each with its key as `where`."""
    result, answer = exchange.result, exchange.answer
    found = result.get("inputRequests")
    if type(found) is not dict or answer is None or result.get("resultType") != "input_required":
        return ()
    return [
        Part(
            "question", one["method"], one.get("params"), answer, pointer("result", "inputRequests", key, "params"), key
        )
        for key, one in found.items()
        if type(one) is dict and type(one.get("method")) is str
    ]


INPUTS = inside(results(*ASKING).of(SERVER), inputs, "questions")


def _question(request: Message) -> Part:
    assert request.body is not None
    return Part("question", request.name, request.body.get("params"), request, "/params")


def _of_answer(exchange: Exchange) -> Iterable[Part]:
    assert exchange.answer is not None
    assert exchange.answer.body is not None
    if "task" in exchange.params and "task" in exchange.result:
        return ()  # only a receipt: the answer is the task's result
    return (Part("answer", exchange.method, exchange.answer.body.get("result"), exchange.answer, "/result"),)


def _of_retry(message: Message) -> Iterable[Part]:
    found = message.params.get("inputResponses")
    if type(found) is not dict:
        return ()
    return [
        Part("answer", key, value, message, pointer("params", "inputResponses", key)) for key, value in found.items()
    ]


class Questions:
    """Those asked in results. Equal ones are kept once; where too many differ, none can be told from another."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str, str, str], list[Part]] = {}

    def note(self, question: Part) -> None:
        exchange = question.message.answers
        assert exchange is not None
        place = _place(exchange.request, exchange.result, question.where)
        known = self._asked.pop(place, [])
        if len(known) < _MOST_QUESTIONS and not any(
            one.name == question.name and same(one.value, question.value) for one in known
        ):
            known.append(question)
        self._asked[place] = known
        if len(self._asked) > _MOST_PLACES:
            del self._asked[next(iter(self._asked))]

    def answered_by(self, retry: Message, key: str) -> list[Part]:
        found = self._asked.get(_place(retry, retry.params, key), [])
        return found if len(found) < _MOST_QUESTIONS else []


def _place(request: Message, state: dict[str, Any], key: str) -> tuple[str, str, str, str]:
    return request.name, str(request.params.get(NAMES[request.name])), str(state.get("requestState")), key


def note(question: Part, context: Context) -> None:
    context.memory.note(question)


def questions_of(answer: Part, method: str, memory: Questions) -> list[Part]:
    """The questions that this may answer: none where it answers another method, or where that cannot be told."""
    exchange = answer.message.answers
    if exchange is not None:
        return [_question(exchange.request)]
    found = memory.answered_by(answer.message, answer.name)
    return found if all(question.name == method for question in found) else []


def declared(question: Part, *path: str) -> bool | None:
    """Had the client declared this when it was asked? None: not known."""
    capabilities = question.message.client_capabilities
    return None if capabilities is None else capabilities.declares(*path)
