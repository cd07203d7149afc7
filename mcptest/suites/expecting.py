"""Expectations: a target of what was seen, and a matcher that it must satisfy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mcptest.suites import matchers
from mcptest.suites.matchers.exact import Exact
from mcptest.suites.shapes import Field, Listing, Record
from mcptest.suites.showing import shown
from mcptest.suites.snapshots import Snapshots
from mcptest.suites.spots import Spot
from mcptest.suites.targets import MISSING, Target, Vocabulary, parse


class Expectation(NamedTuple):
    """`line` and `column` are where the suite says so; 0 where it says nothing and this is the default."""

    target: Target
    matcher: matchers.Matcher
    line: int = 0
    column: int = 0

    def failure(self, values: Mapping[str, Any], snapshots: Snapshots) -> str | None:
        value = self.target.of(values)
        problem = self.matcher.problem(value, snapshots)
        if problem is None:
            return None
        if value is MISSING:
            rest = "" if problem == "not there" else f" ({problem})"
            return f"{self.target.text} is not there{rest}"
        return f"{self.target.text} is {shown(value)}, {problem}"


class Failure(NamedTuple):
    """An expectation that was not met, or trouble that left none to look at (`target` is empty then)."""

    target: str
    message: str
    line: int = 0
    column: int = 0


def judge(expect: Iterable[Expectation], values: Mapping[str, Any], snapshots: Snapshots) -> list[Failure]:
    return [
        Failure(one.target.text, message, one.line, one.column)
        for one in expect
        if (message := one.failure(values, snapshots)) is not None
    ]


def expectations(vocabulary: Vocabulary) -> Listing:
    """The shape of an `expect:` list."""

    def make(found: dict[str, Any], spot: Spot) -> Expectation:
        return Expectation(found["target"], found["matcher"], *spot.position)

    fields = {
        "target": Field(vocabulary, "What is looked at, as a path: result.content[0].text", needed=True),
        "matcher": Field(matchers.Matching(), "What it must be.", needed=True),
    }
    return Listing(Record(fields, make))


def equals(target: str, value: Any) -> Expectation:
    """A default that needs no author."""
    return Expectation(parse(target), Exact(value))
