"""What is asked for is an elicitation, a sampling or the roots, as the body of such a request.

`expect.methods` are these. Their params have the shape of such a request. That it is no message of its own, and so has
neither `jsonrpc` nor `id`, is warned about.
"""

from collections.abc import Iterator
from typing import Any

from mcptest.compliance import shapes
from mcptest.compliance.kit import (
    SERVER,
    Context,
    Exchange,
    Part,
    Remarks,
    a,
    inside,
    pointer,
    remark,
    results,
    warning,
)
from mcptest.compliance.rules._asks import ASKING
from mcptest.compliance.rules.mrtr._retries import REQUESTS, paused, questions

ID = "MRTR-003"
EXPECT = {"methods"}


def _questions(exchange: Exchange) -> Iterator[Part]:
    if exchange.answer is not None and paused(exchange):
        for key, value in questions(exchange).items():
            yield Part("question", key[:80], value, exchange.answer, pointer("result", REQUESTS, key), key)


ON = inside(results(*ASKING).of(SERVER), _questions, "questions")


def check(question: Part, context: Context) -> Remarks:
    value = question.value
    if type(value) is not dict:
        yield f"The request for input is {a(value)}, not an object"
        return
    method = value.get("method")
    if method not in context.expect["methods"]:
        yield remark(f"The method is {_said(method)}, none of {', '.join(context.expect['methods'])}", "/method")
        return
    for at, text in _misfits(question):
        yield remark(f"{method}: {text[:200]}", at)
    for key in ("jsonrpc", "id"):
        if key in value:
            yield warning(f"The request for input is no message of its own, and has {key}", f"/{key}")


def _misfits(question: Part) -> Iterator[tuple[str, str]]:
    message = question.message
    assert message.answers is not None
    result = {"resultType": "input_required", REQUESTS: {question.where: question.value}}
    own = pointer(REQUESTS, question.where)
    for misfit in shapes.problems(message.revision, message.sender, message.answers.method, shapes.RESULT, result):
        if misfit.pointer.startswith(own):
            yield misfit.pointer[len(own) :], misfit.message


def _said(method: Any) -> str:
    return repr(method[:80]) if type(method) is str else a(method)
