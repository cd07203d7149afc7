"""Simpler values of the same kind, the simplest first: what a failure is made small with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any


def simpler(value: Any) -> Iterator[Any]:
    """Values to try in the place of this one. None is the same, and each chain of them ends."""
    if isinstance(value, dict):
        yield from _simpler_object(value)
    elif isinstance(value, list):
        yield from _simpler_list(value)
    elif isinstance(value, str):
        yield from _simpler_text(value)
    elif isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int | float):
        yield from _simpler_number(value)


def _simpler_object(value: dict[str, Any]) -> Iterator[Any]:
    if value:
        yield {}
    for key in value:
        if len(value) > 1:
            yield {other: item for other, item in value.items() if other != key}
    for key, item in value.items():
        for less in simpler(item):
            yield {**value, key: less}


def _simpler_list(value: list[Any]) -> Iterator[Any]:
    if value:
        yield []
    if len(value) > 1:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]
        for at in range(min(len(value), 20)):
            yield value[:at] + value[at + 1 :]
    for at, item in enumerate(value[:20]):
        for less in simpler(item):
            yield [*value[:at], less, *value[at + 1 :]]


def _simpler_text(value: str) -> Iterator[str]:
    if not value:
        return
    yield ""
    if len(value) > 1:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]
        yield value[:-1]
        yield value[1:]
    if value.strip("a"):
        yield "a" * len(value)


def _simpler_number(value: float) -> Iterator[float]:
    if not value:
        return
    yield 0
    if value < 0:
        yield -value
    if isinstance(value, float) and value != int(value):
        yield int(value)
        return
    whole = abs(int(value))
    for part in (1, 2, 4, 8, 16, 32):
        if whole >> part:
            yield (whole - (whole >> part)) * (1 if value > 0 else -1)
    if whole > 1:
        yield (whole - 1) * (1 if value > 0 else -1)


async def shrink(value: Any, fails: Callable[[Any], Awaitable[bool]], tries: int) -> Any:
    """The smallest value found that still fails, after so many tries at most."""
    left = tries
    while True:
        for less in simpler(value):
            if left <= 0:
                return value
            left -= 1
            if await fails(less):
                value = less
                break
        else:
            return value
