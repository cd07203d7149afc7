from __future__ import annotations

import pytest

from mcptest.capture import queries
from mcptest.errors import UsageError


def test_the_folder_is_the_registry() -> None:
    assert queries.names() == ["errors", "latency", "slowest", "traffic-by-method", "unanswered"]


@pytest.mark.parametrize("name", queries.names())
def test_every_question_says_in_one_sentence_what_it_tells(name: str) -> None:
    found = queries.find(name)
    assert found.sql.startswith("-- ")
    assert found.description.endswith(".")
    assert len(found.description) < 130


def test_an_unknown_question_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="latency"):
        queries.find("nosuch")
