"""What an answer amounts to, and which part of it is its content."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from mcptest.replay.canonical import shorten
from mcptest.replay.comparing import document
from mcptest.replay.turns import Turn


class Came(enum.StrEnum):
    """How it came out."""

    RESULT = "a result"
    TOOL_ERROR = "a tool error"
    ERROR = "an error"


def came(answer: Mapping[str, Any]) -> Came:
    if "error" in answer and (answer["error"] is not None or "result" not in answer):
        return Came.ERROR
    result = answer.get("result")
    return Came.TOOL_ERROR if type(result) is dict and result.get("isError") is True else Came.RESULT


def code(answer: Mapping[str, Any]) -> Any:
    error = answer.get("error")
    return error.get("code") if type(error) is dict else None


def complaint(answer: Mapping[str, Any]) -> str:
    """What an error, or a tool's error, says."""
    error = answer.get("error")
    if type(error) is dict:
        return shorten(f"{error.get('code')} {error.get('message')}")
    result = answer.get("result")
    content = result.get("content") if type(result) is dict else None
    for block in content if type(content) is list else ():
        if type(block) is dict and type(block.get("text")) is str:
            return shorten(block["text"])
    return "without a text"


def comparable(turn: Turn, answer: dict[str, Any]) -> dict[str, Any]:
    """The part of an answer that is its content: no envelope, and none of what only the server can read and its client
    brings back, which is carried over: pages' cursors and the state of a request."""
    part = {key: answer[key] for key in answer if key in ("result", "error")}
    result = part.get("result")
    if type(result) is dict:
        opaque = ("nextCursor",) if turn.method.endswith("/list") else ("requestState",)
        part["result"] = result | {key: "…" for key in opaque if type(result.get(key)) is str}
    return part


def mirrors(answer: dict[str, Any]) -> bool:
    """Does the text of a tool's result only repeat its structured content?"""
    result = answer.get("result")
    if type(result) is not dict or "structuredContent" not in result or type(result.get("content")) is not list:
        return False
    texts = [block.get("text") if type(block) is dict else None for block in result["content"]]
    if not texts or not all(type(text) is str for text in texts):
        return False
    structured = result["structuredContent"]
    wrapped = structured.get("result") if type(structured) is dict and len(structured) == 1 else structured
    values = [text if (inner := document(text)) is None else inner for text in texts if type(text) is str]
    return values in ([structured], [wrapped], wrapped) or (len(values) == 1 and values[0] == str(wrapped))


def without_text(answer: dict[str, Any]) -> dict[str, Any]:
    return {"result": {key: value for key, value in answer["result"].items() if key != "content"}}
