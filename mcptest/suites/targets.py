"""Targets: dotted paths to what an expectation is about, such as `result.content[0].text` or `tool["search"].score`."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from mcptest.suites.shapes import Schema
from mcptest.suites.spots import Spot, suggestion

_FIRST = re.compile(r"[^.\[\]\"\s]+")
_STEP = re.compile(r"""\.([^.\[\]"\s]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]""")


class Missing:
    """The value of a target that leads nowhere."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


class Target(NamedTuple):
    text: str
    steps: tuple[str | int, ...]

    def of(self, value: Any) -> Any:
        """What stands there, MISSING if nothing does."""
        for step in self.steps:
            if not _leads_on(value, step):
                return MISSING
            value = value[step]
        return value


def _leads_on(value: Any, step: str | int) -> bool:
    if isinstance(step, int):
        return isinstance(value, list) and step < len(value)
    return isinstance(value, dict) and step in value


class Vocabulary(NamedTuple):
    """Which targets a block has. `fixed` are whole targets; behind one of the `roots`, anything may follow, since it
    is the server that decides what is there."""

    fixed: tuple[str, ...]
    roots: tuple[str, ...] = ()

    def read(self, spot: Spot) -> Target:
        if not isinstance(spot.value, str):
            raise spot.refuse(f"expected a target such as {self.known[0]}, found {spot.kind}")
        try:
            target = parse(spot.value)
        except ValueError as error:
            raise spot.refuse(str(error)) from None
        if spot.value not in self.fixed and target.steps[0] not in self.roots:
            raise spot.refuse(f"unknown target {spot.value!r}{self._meant(spot.value, str(target.steps[0]))}")
        return target

    def _meant(self, text: str, root: str) -> str:
        if len(text) > len(root):
            near = suggestion(root, self.roots) if self.roots else ""
            if "did you mean" in near:
                return near
        return suggestion(text, self.known)

    @property
    def known(self) -> list[str]:
        return [*self.fixed, *self.roots]

    def schema(self) -> Schema:
        open_ends = [{"type": "string", "pattern": rf"^({'|'.join(self.roots)})([.\[].*)?$"}] if self.roots else []
        return {"anyOf": [{"enum": self.known}, *open_ends]}


def parse(text: str) -> Target:
    """ValueError for what is no path."""
    first = _FIRST.match(text)
    if first is None:
        raise ValueError(f"{text!r} is no target: write a path such as result.content[0].text")
    steps: list[str | int] = [first[0]]
    position = first.end()
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            raise ValueError(f"{text!r} is no target from {text[position : position + 12]!r} on")
        steps.append(match[1] if match[1] else int(match[2]) if match[2] else str(json.loads(match[3])))
        position = match.end()
    return Target(text, tuple(steps))


def written(*steps: str | int) -> str:
    """The text of a target, for suites that we write ourselves."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _FIRST.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step)}]"
    return text
