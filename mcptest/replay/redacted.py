"""Placeholders of redacted secrets inside recorded values: what they look like, and what they may stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# As the redaction writes them; the bracketed form is for recordings that were cleaned by hand.
TEXT = re.compile(r"redacted-[0-9a-f]{12}|\[redacted(?::[^\]\s]*)?\]")
_NUMBER = re.compile(r"4040404[0-9]{8}")
_NUMBERS = (int, float)
_DEEPEST = 100


def is_placeholder(value: Any) -> bool:
    """Is all of this value a placeholder?"""
    if type(value) is str:
        return TEXT.fullmatch(value) is not None
    return type(value) is int and _NUMBER.fullmatch(str(value)) is not None


def may_equal(one: Any, other: Any) -> bool:
    """Could these two be the same value, if a placeholder in either may stand for anything?"""
    if is_placeholder(one) or is_placeholder(other):
        return type(one) is type(other) or (type(one) in _NUMBERS and type(other) in _NUMBERS)
    if type(one) is str and type(other) is str:
        return _fits(one, other) or _fits(other, one)
    return False


def _fits(pattern: str, text: str) -> bool:
    """A text with placeholders in it against a plain one: what stands between them must be there, in order."""
    parts = TEXT.split(pattern)
    if len(parts) == 1:
        return False
    if not text.startswith(parts[0]) or not text.endswith(parts[-1]):
        return False
    position, end = len(parts[0]), len(text) - len(parts[-1])
    for part in parts[1:-1]:
        found = text.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return position <= end


def fill_in(value: Any, secrets: Mapping[str, str], depth: int = 0) -> Any:
    """The value with the placeholders that are known replaced by their secrets."""
    if not secrets:
        return value
    if type(value) is str:
        return TEXT.sub(lambda match: secrets.get(match[0], match[0]), value)
    if type(value) is int and str(value) in secrets:
        return _number(secrets[str(value)])
    if depth > _DEEPEST:
        return value
    if type(value) is dict:
        return {key: fill_in(member, secrets, depth + 1) for key, member in value.items()}
    if type(value) is list:
        return [fill_in(item, secrets, depth + 1) for item in value]
    return value


def _number(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        return text


def placeholders(value: Any, depth: int = 0) -> set[str]:
    """All placeholders in a value."""
    if type(value) is str:
        return set(TEXT.findall(value))
    if depth > _DEEPEST:
        return set()
    if type(value) is dict:
        return {found for member in value.values() for found in placeholders(member, depth + 1)}
    if type(value) is list:
        return {found for item in value for found in placeholders(item, depth + 1)}
    return {str(value)} if is_placeholder(value) else set()
