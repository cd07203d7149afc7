from __future__ import annotations

import pytest

from mcptest.analyzers.patterns import is_bounded


@pytest.mark.parametrize(
    "pattern",
    ["^a$", "^[A-Z]{3}$", r"^\d{4}-\d{2}$", "^(?:a|b){1,9}$", r"^\+1$", "^[*+]$", r"^a\*$", "^a?b$", "^[]a]{2}$", "^$"],
)
def test_anchored_patterns_without_open_repetition_are_bounded(pattern: str) -> None:
    assert is_bounded(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["", "a", "^a", "a$", "^a*$", "^a+$", "^a{2,}$", "^a$|^b$", "^a|b$", r"^a\$", "^(a+)+$", "^" + "a" * 20_000 + "$"],
)
def test_other_patterns_are_not(pattern: str) -> None:
    assert not is_bounded(pattern)
