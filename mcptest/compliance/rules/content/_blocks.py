"""Content blocks wherever they stand, also inside questions that a server asks in a result and their answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Exchange,
    Message,
    On,
    Part,
    blocks,
    inside,
    pointer,
    requests,
    results,
)

TOOL, PROMPT, ASKED, ANSWERED = "tool result", "prompt message", "sampling message", "sampling result"


def _block(value: Any, message: Message, at: str, where: str) -> Iterator[Part]:
    kind = value.get("type") if type(value) is dict else None
    yield Part("content block", kind if type(kind) is str else "", value, message, at, where)
    if kind == "tool_result" and type(value.get("content")) is list:
        for number, inner in enumerate(value["content"]):
            yield from _block(inner, message, f"{at}/content/{number}", TOOL)


def _content(content: Any, message: Message, at: str, where: str) -> Iterator[Part]:
    for number, value in enumerate(content) if type(content) is list else ((None, content),):
        yield from _block(value, message, at if number is None else f"{at}/{number}", where)


def _questions(exchange: Exchange) -> Iterator[Part]:
    """The messages of sampling requests that stand in a result."""
    asked = exchange.result.get("inputRequests")
    for key, request in asked.items() if type(asked) is dict else ():
        params = request.get("params") if type(request) is dict else None
        if type(params) is not dict or request.get("method") != "sampling/createMessage":
            continue
        messages = params.get("messages")
        for number, one in enumerate(messages if type(messages) is list else ()):
            if type(one) is dict and one.get("content") is not None:
                at = pointer("result", "inputRequests", key, "params", "messages", number, "content")
                yield from _content(one["content"], exchange.place, at, ASKED)


def _replies(request: Message) -> Iterator[Part]:
    """What a model said, in a request that is sent again. Answers do not say what they answer, but only a model's has a
    model; the content of a form is no content block."""
    given = request.params.get("inputResponses")
    for key, answer in given.items() if type(given) is dict else ():
        if type(answer) is dict and {"model", "role", "content"} <= answer.keys() and "action" not in answer:
            at = pointer("params", "inputResponses", key, "content")
            yield from _content(answer["content"], request, at, ANSWERED)


_ASKING = ("tools/call", "prompts/get", "resources/read")
everywhere: tuple[On, ...] = (
    *blocks,
    inside(results(*_ASKING).of(SERVER), _questions, "content blocks"),
    inside(requests(*_ASKING).of(CLIENT), _replies, "content blocks"),
)


def _contents(exchange: Exchange) -> Iterable[Part]:
    """What was read of a resource."""
    contents = exchange.result.get("contents")
    for number, value in enumerate(contents if type(contents) is list else ()):
        yield Part("resource", "", value, exchange.place, pointer("result", "contents", number), "resource")


contents = inside(results("resources/read").of(SERVER), _contents, "resource contents")


def embedded(block: Part) -> dict[str, Any] | None:
    """The resource in a block of that type."""
    found = block.members.get("resource") if block.name == "resource" else None
    return found if type(found) is dict else None
