"""Matchers decide whether an incoming request is a recorded one. A matcher is a module in this folder with

    STRICTNESS                      matchers are tried from the strictest, which has the lowest number, on
    key(method, params, ignoring)   two requests with the same key match; None where the matcher has nothing to say

and its docstring says in one line what it compares. `ignoring` takes what is to be ignored out of params.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from mcptest import plugins
from mcptest.errors import UsageError

__all__ = ["DEFAULT", "Ignoring", "Matcher", "chain", "names"]

Ignoring = Callable[[str, Any], Any]

DEFAULT = "ignoring-paths"  # looser ones answer with what was recorded for another call: only where that was asked for


class Matcher(NamedTuple):
    name: str
    strictness: int
    summary: str
    key: Callable[[str, Any, Ignoring], bytes | None]


@lru_cache(maxsize=1)
def _all() -> tuple[Matcher, ...]:
    found = [
        Matcher(
            module.__name__.rpartition(".")[2].replace("_", "-"),
            module.STRICTNESS,
            (module.__doc__ or "").partition("\n")[0],
            module.key,
        )
        for module in plugins.load_all(__name__)
    ]
    return tuple(sorted(found, key=lambda matcher: matcher.strictness))


def names() -> list[str]:
    return [matcher.name for matcher in _all()]


def chain(loosest: str = DEFAULT) -> tuple[Matcher, ...]:
    """All matchers from the strictest to this one."""
    if loosest not in names():
        raise UsageError(f"no matcher {loosest!r}; there is: {', '.join(names())}")
    return _all()[: names().index(loosest) + 1]
