"""Where `_meta`, icons, annotations and the names of implementations may stand in a message.

Only places that the specification defines are visited: what is in a tool's arguments, in structured content, in a form
or in a log message belongs to its owner, whatever it is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptest.compliance.kit import Message, Part, calls, inside, pointer, responses
from mcptest.protocol import CLIENT_INFO, LISTS, SERVER_INFO

ENVELOPE, NESTED = "envelope", "nested"
# Who speaks, in the stateless era: the key, its name in short, and where it stands.
_OF_CALL = CLIENT_INFO, CLIENT_INFO.rpartition("/")[2], pointer("params", "_meta", CLIENT_INFO)
_OF_ANSWER = SERVER_INFO, SERVER_INFO.rpartition("/")[2], pointer("result", "_meta", SERVER_INFO)
_Place = tuple[str, dict[str, Any], str]  # what it is, its members, where it is


def _method(message: Message) -> str:
    """The method that a message is about; empty for a response that answers nothing."""
    if message.method is not None:
        return message.method
    return message.answers.request.name if message.answers is not None else ""


def _objects(value: Any, kind: str, at: str) -> Iterator[_Place]:
    for number, one in enumerate(value if type(value) is list else ()):
        if type(one) is dict:
            yield kind, one, f"{at}/{number}"


def _blocks(content: Any, at: str) -> Iterator[_Place]:
    """A content block, or several, with what is inside them."""
    found = _objects(content, "block", at) if type(content) is list else (("block", content, at),)
    for kind, block, here in found:
        if type(block) is not dict:
            continue
        yield kind, block, here
        if type(block.get("resource")) is dict:
            yield "contents", block["resource"], f"{here}/resource"
        if block.get("type") == "tool_result" and type(block.get("content")) is list:
            yield from _objects(block["content"], "block", f"{here}/content")


def _messages(messages: Any, at: str) -> Iterator[_Place]:
    for kind, one, here in _objects(messages, "message", at):
        yield kind, one, here
        yield from _blocks(one.get("content"), f"{here}/content")


def _nested(message: Message) -> Iterator[_Place]:
    """The objects inside a message that may have a `_meta`, icons or annotations of their own."""
    method, result = _method(message), message.result
    if message.method is not None:
        if method == "sampling/createMessage":
            yield from _messages(message.params.get("messages"), "/params/messages")
    elif method in LISTS:
        key = LISTS[method].key
        yield from _objects(result.get(key), LISTS[method].kind, f"/result/{key}")
    elif method == "tools/call":
        yield from _blocks(result["content"] if type(result.get("content")) is list else (), "/result/content")
    elif method == "prompts/get":
        yield from _messages(result.get("messages"), "/result/messages")
    elif method == "resources/read":
        yield from _objects(result.get("contents"), "contents", "/result/contents")
    elif method == "roots/list":
        yield from _objects(result.get("roots"), "root", "/result/roots")
    elif method == "sampling/createMessage":
        yield from _blocks(result.get("content"), "/result/content")


def _metas(message: Message) -> list[Part]:
    # Most messages have none of these: a look at their bytes saves the walk.
    there = message.raw.count(b'"_meta"')
    found: list[Part] = []
    if not there:
        return found
    for key, holder in (("params", message.params), ("result", message.result)):
        if "_meta" in holder:
            found.append(Part("_meta", _method(message), holder["_meta"], message, f"/{key}/_meta", ENVELOPE))
    if there > len(found):
        found += [
            Part("_meta", kind, holder["_meta"], message, f"{at}/_meta", NESTED)
            for kind, holder, at in _nested(message)
            if "_meta" in holder
        ]
    return found


def _annotated(message: Message) -> Iterator[Part]:
    """Annotations of content and resources; those of tools are something else."""
    for kind, holder, at in _nested(message) if b'"annotations"' in message.raw else ():
        if "annotations" in holder and kind in ("block", "resource", "template"):
            yield Part("annotations", kind, holder["annotations"], message, f"{at}/annotations", kind)


def _implementations(message: Message) -> Iterator[Part]:
    if not message.modern and _method(message) == "initialize":
        for key, holder, name in (("params", message.params, "clientInfo"), ("result", message.result, "serverInfo")):
            if name in holder:
                yield Part("implementation", name, holder[name], message, f"/{key}/{name}", "handshake")
    if message.modern:
        key, name, at = _OF_CALL if message.method is not None else _OF_ANSWER
        if key in message.meta:
            yield Part("implementation", name, message.meta[key], message, at, "_meta")


def _icons(message: Message) -> Iterator[Part]:
    if b'"icons"' not in message.raw:
        return
    holders = [(part.members, part.at) for part in _implementations(message)]
    holders += [(holder, at) for kind, holder, at in _nested(message) if _may_have_icons(kind, holder)]
    for holder, at in holders:
        if "icons" not in holder:
            continue
        icons = holder["icons"]
        if type(icons) is not list:
            yield Part("icons", "", icons, message, f"{at}/icons", "list")
            continue
        for number, icon in enumerate(icons):
            yield Part("icon", "", icon, message, f"{at}/icons/{number}", "icon")


def _may_have_icons(kind: str, holder: dict[str, Any]) -> bool:
    if kind == "block":
        return holder.get("type") == "resource_link"
    return kind in ("tool", "resource", "template", "prompt")


metas = tuple(inside(on, _metas, "_meta objects") for on in (calls, responses))
annotated = tuple(inside(on, _annotated, "annotations") for on in (calls, responses))
implementations = tuple(inside(on, _implementations, "implementations") for on in (calls, responses))
icons = tuple(inside(on, _icons, "icons") for on in (calls, responses))
