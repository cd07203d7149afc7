"""Assertions from answers: what several answers to one request have in common is proposed, what only one showed is not.

Values are taken from recorded answers alone, where secrets were removed; a live answer can only confirm them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mcptest.errors import UsageError
from mcptest.jsontext import same
from mcptest.suites.matchers import Matching
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot
from mcptest.suites.targets import parse, written
from mcptest.wire.message import json_type
from mcptest.yamltext import Document

_LONGEST_TEXT = 300  # characters of a text that is expected as a whole
_LONGEST_VALUE = 400  # the same for structured content
_LONGEST_LINE = 100  # what of a longer text is expected to be in it
_MOST_MEMBERS = 6
_MOST_PARTS = 3  # parts of a content that are looked at
_SCALARS = (str, int, float, bool, type(None))


class Proposal(NamedTuple):
    target: str
    matcher: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        return {"target": self.target, "matcher": self.matcher}


def kind(answer: Mapping[str, Any]) -> str:
    """What came back, in words that fit behind `answered with`."""
    if "error" in answer:
        return "an error"
    result = answer.get("result")
    return "a tool's error" if isinstance(result, dict) and result.get("isError") is True else "a result"


def propose(answers: Sequence[Mapping[str, Any]], output_schema: Any = None, *, again: bool = False) -> list[Proposal]:
    """What can be expected of the next answer. The first answer is a recorded one; all are of one kind. `again` is for
    another call of a tool whose output schema stands there already: it is left out where the value itself says more."""
    first, proven = answers[0], len(answers) > 1
    if "error" in first:
        found = _error(answers)
    else:
        results = [answer.get("result") for answer in answers]
        found = [*_flag(results), *_structured(results, output_schema, proven, again=again), *_content(results, proven)]
    return [one for one in found if _holds(one, answers)]


def _error(answers: Sequence[Mapping[str, Any]]) -> list[Proposal]:
    codes = [_at(answer, "error", "code") for answer in answers]
    return [Proposal("error.code", {"exact": codes[0]})] if _all_same(codes) else []


def _flag(results: Sequence[Any]) -> list[Proposal]:
    flags = [_at(result, "isError") for result in results]
    if any(flag is True for flag in flags):
        return [Proposal("result.isError", {"exact": True})]
    return [Proposal("result.isError", {"not": {"exact": True}})] if _at(results[0], "content") is not None else []


def _structured(results: Sequence[Any], schema: Any, proven: bool, *, again: bool) -> Iterable[Proposal]:
    values = [_at(result, "structuredContent") for result in results]
    if any(value is None for value in values):
        return
    target = "result.structuredContent"
    whole = proven and _all_same(values) and _size(values[0]) <= _LONGEST_VALUE
    if isinstance(schema, dict) and not (whole and again):
        yield Proposal(target, {"schema": schema})
    if whole:
        yield Proposal(target, {"exact": values[0]})
    elif proven and all(isinstance(value, dict) for value in values):
        stable = [
            key for key in values[0] if _is_small(values[0][key]) and _all_same([_at(one, key) for one in values])
        ]
        for key in stable[:_MOST_MEMBERS]:
            yield Proposal(written("result", "structuredContent", key), {"exact": values[0][key]})
    if not whole and not isinstance(schema, dict):
        yield Proposal(target, {"schema": outline(values)})


def _content(results: Sequence[Any], proven: bool) -> Iterable[Proposal]:
    """The parts of tools' results, resources and prompts, each by its own name for them. Where there is structured
    content, the texts say the same once more."""
    if _at(results[0], "structuredContent") is not None:
        return
    for key, inside in (("content", ()), ("contents", ()), ("messages", ("content",))):
        parts = _at(results[0], key)
        for number in range(min(len(parts), _MOST_PARTS) if isinstance(parts, list) else 0):
            path: tuple[str | int, ...] = (key, number, *inside)
            yield from _part([_at(result, *path) for result in results], ("result", *path), proven)


def _part(parts: Sequence[Any], path: tuple[str | int, ...], proven: bool) -> Iterable[Proposal]:
    texts = [_at(part, "text") for part in parts]
    if isinstance(texts[0], str):
        yield from _text(texts, written(*path, "text"), proven)
        return
    for key in ("type", "mimeType"):
        values = [_at(part, key) for part in parts]
        if isinstance(values[0], str) and _all_same(values):
            yield Proposal(written(*path, key), {"exact": values[0]})


def _text(texts: Sequence[Any], target: str, proven: bool) -> Iterable[Proposal]:
    if proven and _all_same(texts):
        if len(texts[0]) <= _LONGEST_TEXT:
            yield Proposal(target, {"exact": texts[0]})
        else:
            line = max(texts[0][:_LONGEST_TEXT].splitlines(), key=len)[:_LONGEST_LINE]
            yield Proposal(target, {"contains": line})
    elif all(isinstance(text, str) and text for text in texts):
        yield Proposal(target, {"schema": {"type": "string", "minLength": 1}})


def outline(values: Sequence[Any], depth: int = 0) -> dict[str, Any]:
    """A schema that says of values what kind they are, and which members all of them have."""
    kinds = list(dict.fromkeys(map(json_type, values)))
    said: dict[str, Any] = {"type": kinds[0] if len(kinds) == 1 else kinds}
    if kinds == ["object"] and depth < 2:
        shared = [key for key in values[0] if all(key in value for value in values)]
        if shared:
            said["required"] = shared
            said["properties"] = {key: outline([value[key] for value in values], depth + 1) for key in shared}
    return said


def _holds(proposal: Proposal, answers: Sequence[Mapping[str, Any]]) -> bool:
    """Every answer that was seen must satisfy what is proposed, by the words that a run will use."""
    try:
        spot = Spot(Document("proposal", proposal.matcher, {}), (), proposal.matcher)
        matcher = Matching().read(spot)
    except UsageError:
        return False  # a schema that is none, say
    target = parse(proposal.target)
    nowhere = Snapshots(Path())
    return all(matcher.problem(target.of(answer), nowhere) is None for answer in answers)


def _at(value: Any, *path: str | int) -> Any:
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def _all_same(values: Sequence[Any]) -> bool:
    return all(same(values[0], value) for value in values[1:])


def _is_small(value: Any) -> bool:
    return isinstance(value, _SCALARS) and _size(value) <= _LONGEST_LINE


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))
