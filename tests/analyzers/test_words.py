from __future__ import annotations

import pytest

from mcptest.analyzers.words import mentions, stem, stems


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("entities", "entity"),
        ("files", "file"),
        ("returned", "return"),
        ("classes", "class"),
        ("bus", "bus"),
        ("running", "run"),
        ("created", "create"),
        ("queries", "query"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_names_are_found_in_prose_however_they_are_spelt() -> None:
    text = stems("Reads the files of a repository, given its owner and its pull request number.")
    assert mentions(text, "repositoryOwner")
    assert mentions(text, "pull_number")
    assert mentions(text, "FILE")
    assert mentions(stems("Renames a worksheet."), "sheet")
    assert mentions(stems("Delete some entities."), "deletions")
    assert not mentions(text, "branch")
    assert not mentions(text, "q")
