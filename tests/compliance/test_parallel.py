"""Sessions that are judged in several processes come out as in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptest.capture import journals
from mcptest.capture.sources import Source
from mcptest.compliance import Book, comply_each
from mcptest.errors import UsageError
from tests.compliance.transcripts import Talk

BOOK = Book.load()


def recorded(folder: Path, revision: str, *lines: str) -> Source:
    made = Talk(revision, {})
    for line in lines:
        made.add(line, "test")
    made.finish()
    folder.mkdir()
    return Source(revision, journals.write_whole(folder, iter(made.frames[1:]), made.frames[0]))


@pytest.fixture
def sessions(tmp_path):
    return [
        recorded(tmp_path / "a", "2025-11-25", '> tools/call {"name": "a"}', '< result {"content": 7}'),
        recorded(tmp_path / "b", "2026-07-28", "> tools/list", '< result {"tools": []}'),
        recorded(tmp_path / "c", "2024-11-05", "> ping", "< result"),
    ]


def test_two_processes_say_what_one_says(sessions):
    alone = list(comply_each(sessions, BOOK, jobs=1))
    together = list(comply_each(sessions, BOOK, jobs=2))
    assert together == alone
    assert [outcome.name for outcome in together] == ["2025-11-25", "2026-07-28", "2024-11-05"]
    assert any(finding.rule == "TOOLS-009" for one in together[0].verdicts for finding in one.findings)


def test_a_pin_and_a_choice_of_rules_hold_in_every_process(sessions):
    together = list(comply_each(sessions, BOOK, spec="v2025-06-18", select=["TOOLS-009"], jobs=2))
    assert [[verdict.rule for verdict in outcome.verdicts] for outcome in together] == [["TOOLS-009"]] * 3
    assert {outcome.pin for outcome in together} == {"v2025-06-18"}


def test_a_rule_that_is_not_there_is_told_at_once(sessions):
    with pytest.raises(UsageError, match="TOOLS-9"):
        list(comply_each(sessions, BOOK, select=["TOOLS-9"], jobs=2))
