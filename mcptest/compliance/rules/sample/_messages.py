"""Sampling requests and results as the rules of this family look at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from mcptest.compliance.kit import Part, pointer
from mcptest.compliance.rules._asks import asked, told

METHOD = "sampling/createMessage"
ASKED = asked(METHOD, "sampling requests")
TOLD = told(METHOD, "sampling results")


def messages_of(question: Part) -> list[Any]:
    found = question.members.get("messages")
    return found if type(found) is list else []


def blocks_of(message: Any) -> list[Any]:
    """A message's content blocks, be it one or several."""
    content = message.get("content") if type(message) is dict else None
    return content if type(content) is list else [content]


def of_type(message: Any, kind: str) -> list[dict[str, Any]]:
    return [block for block in blocks_of(message) if type(block) is dict and block.get("type") == kind]


class Unmatched(NamedTuple):
    """Calls of tools in one message that the next message has no results for, and results without a call."""

    at: int
    missing: list[str]
    extra: list[str]


def mixed(question: Part) -> Iterator[int]:
    """Which messages have tool results together with something else."""
    for at, message in enumerate(messages_of(question)):
        results = of_type(message, "tool_result")
        if results and len(results) != len(blocks_of(message)):
            yield at


def unmatched(question: Part) -> Iterator[Unmatched]:
    """Each message that calls tools, with what does not match in the message after it."""
    messages = messages_of(question)
    for at, message in enumerate(messages):
        if type(message) is dict and message.get("role") == "assistant" and of_type(message, "tool_use"):
            answer = messages[at + 1] if at + 1 < len(messages) else None
            answered = type(answer) is dict and answer.get("role") == "user"
            calls = {str(block.get("id")) for block in of_type(message, "tool_use")}
            results = {str(block.get("toolUseId")) for block in of_type(answer, "tool_result")} if answered else set()
            yield Unmatched(at, sorted(calls - results), sorted(results - calls))


def at_message(number: int) -> str:
    return pointer("messages", number)


def has_results(question: Part) -> bool:
    """Does its history hold results of tools?"""
    return any(of_type(message, "tool_result") for message in messages_of(question))
