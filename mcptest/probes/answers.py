"""What an answer to a bad request is worth: a clean refusal, a silent acceptance, or no proper answer at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mcptest.probes.outcomes import Verdict
from mcptest.probes.visits import Heard

_QUOTED = 120  # characters of what a server said


class Reply(NamedTuple):
    """What came of a request: `body` is the whole answer; `lost` says why none will come; neither means silence until
    `waited` was over. `heard` is what came meanwhile that answers nothing."""

    body: dict[str, Any] | None = None
    lost: str | None = None
    status: int | None = None
    duration_ms: float = 0.0
    heard: tuple[Heard, ...] = ()
    waited: float = 0.0

    @property
    def is_silence(self) -> bool:
        return self.body is None and self.lost is None


def judged(reply: Reply, *, strict: bool = True, method: str = "tools/call") -> tuple[Verdict, str]:
    """The verdict on the answer to a bad request, and what was seen. Not `strict`: a result is as good as a refusal."""
    if reply.lost is not None:
        if reply.status is not None:
            return Verdict.PASSED, f"refused with HTTP {reply.status}"
        return Verdict.CRASHED, reply.lost
    if reply.body is None:
        for heard in reply.heard:
            return Verdict.VIOLATED, f"no answer to it, but {heard.reason}: {quoted(heard.data)}"
        return Verdict.HUNG, f"no answer within {reply.waited:g} s"
    faults = violations(reply.body, method)
    if faults:
        return Verdict.VIOLATED, faults[0]
    if refused(reply.body):
        return Verdict.PASSED, said(reply.body)
    if strict:
        return Verdict.ACCEPTED, f"accepted as if nothing were wrong, with {said(reply.body)}"
    return Verdict.PASSED, said(reply.body)


def refused(body: Mapping[str, Any]) -> bool:
    result = body.get("result")
    return "error" in body or (isinstance(result, Mapping) and result.get("isError") is True)


def said(body: Mapping[str, Any]) -> str:
    """`error -32602 "Unknown tool"`, `an isError result "…"`, `a result "…"`."""
    error = body.get("error")
    if isinstance(error, Mapping):
        message = str(error.get("message"))
        if message.startswith("HTTP "):
            return message[:_QUOTED].rstrip(": ")
        return f"error {error.get('code')} {quoted(message)}"
    result = body.get("result")
    kind = "an isError result" if refused(body) else "a result"
    return f"{kind} {quoted(text_of(result))}"


def text_of(result: Any) -> str:
    """The texts of a tool's result, else the result as it is."""
    content = result.get("content") if isinstance(result, Mapping) else None
    if isinstance(content, list):
        texts = [
            block["text"] for block in content if isinstance(block, Mapping) and isinstance(block.get("text"), str)
        ]
        return "\n".join(texts)
    return str(result)


def quoted(value: Any) -> str:
    text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
    text = " ".join(text[: 4 * _QUOTED].split())
    return f"{text[:_QUOTED]!r}…" if len(text) > _QUOTED else repr(text)


def violations(body: Mapping[str, Any], method: str = "tools/call") -> list[str]:
    """What is wrong with the shape of an answer, whatever it says."""
    found = []
    if body.get("jsonrpc") != "2.0":
        found.append(f"the answer's jsonrpc is {body.get('jsonrpc')!r}, not '2.0'")
    if "result" in body and "error" in body:
        found.append("the answer has both a result and an error")
    if "error" in body:
        found += _error_faults(body["error"])
    elif method == "tools/call":
        found += _result_faults(body.get("result"))
    elif not isinstance(body.get("result"), Mapping):
        found.append(f"the result is no object but {quoted(body.get('result'))}")
    return found


def _error_faults(error: Any) -> list[str]:
    if not isinstance(error, Mapping):
        return [f"the error is no object but {quoted(error)}"]
    code, message = error.get("code"), error.get("message")
    if type(code) is not int:
        return [f"the error's code is no integer but {code!r}"]
    if not isinstance(message, str):
        return [f"the error's message is no string but {quoted(message)}"]
    if 500 <= code < 600 and message.startswith("HTTP "):
        return [f"{message[:_QUOTED]} in place of a JSON-RPC error"]
    return []


def _result_faults(result: Any) -> list[str]:
    if not isinstance(result, Mapping):
        return [f"the result is no object but {quoted(result)}"]
    if result.get("resultType", "complete") != "complete" or "task" in result:
        return []
    found = []
    content = result.get("content")
    if not isinstance(content, list):
        found.append("the result has no list of content" if content is None else "the result's content is no list")
    elif not all(isinstance(block, Mapping) and isinstance(block.get("type"), str) for block in content):
        found.append("the result's content holds a block without a type")
    if not isinstance(result.get("isError", False), bool):
        found.append(f"the result's isError is no boolean but {quoted(result['isError'])}")
    return found
