"""Parts of messages that several rules look at: things a server listed, and content blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mcptest.compliance.subjects import Exchange, Message, Part
from mcptest.jsontext import pointer
from mcptest.protocol import LISTS

_NAMED_BY = {"tool": "name", "prompt": "name", "resource": "uri", "template": "uriTemplate"}


def listed(exchange: Exchange) -> list[Part]:
    """The entries of one page of a list, in order, whatever they are."""
    listing = LISTS[exchange.method]
    entries = exchange.result.get(listing.key)
    answer = exchange.answer
    if type(entries) is not list or answer is None:
        return []
    key = _NAMED_BY[listing.kind]
    return [
        Part(listing.kind, _name(entry, key), entry, answer, pointer("result", listing.key, at))
        for at, entry in enumerate(entries)
    ]


def _name(entry: Any, key: str) -> str:
    name = entry.get(key) if type(entry) is dict else None
    return name if type(name) is str else ""


# ---- content blocks


def tool_content(exchange: Exchange) -> Iterator[Part]:
    """The blocks of a tool's result."""
    assert exchange.answer is not None
    return _blocks(exchange.result.get("content"), exchange.answer, "/result/content", "tool result")


def prompt_content(exchange: Exchange) -> Iterator[Part]:
    """The one block of each message of a prompt."""
    assert exchange.answer is not None
    return _messages(exchange.result.get("messages"), exchange.answer, "/result/messages", "prompt message")


def sampling_request_content(request: Message) -> Iterator[Part]:
    return _messages(request.params.get("messages"), request, "/params/messages", "sampling message")


def sampling_result_content(exchange: Exchange) -> Iterator[Part]:
    assert exchange.answer is not None
    return _one_or_several(exchange.result.get("content"), exchange.answer, "/result/content", "sampling result")


def _messages(messages: Any, message: Message, at: str, where: str) -> Iterator[Part]:
    for number, entry in enumerate(messages if type(messages) is list else ()):
        if type(entry) is dict and "content" in entry:
            yield from _one_or_several(entry["content"], message, f"{at}/{number}/content", where)


def _one_or_several(content: Any, message: Message, at: str, where: str) -> Iterator[Part]:
    if type(content) is list and where.startswith("sampling"):
        yield from _blocks(content, message, at, where)
    elif content is not None:
        yield from _block(content, message, at, where)


def _blocks(content: Any, message: Message, at: str, where: str) -> Iterator[Part]:
    for number, block in enumerate(content if type(content) is list else ()):
        yield from _block(block, message, f"{at}/{number}", where)


def _block(block: Any, message: Message, at: str, where: str) -> Iterable[Part]:
    kind = block.get("type") if type(block) is dict else None
    yield Part("content block", kind if type(kind) is str else "", block, message, at, where)
    # Only sampling has blocks inside a block, and none inside those.
    if kind == "tool_result" and where != "tool result":
        yield from _blocks(block.get("content"), message, f"{at}/content", "tool result")
