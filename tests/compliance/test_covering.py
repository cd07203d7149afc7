"""How much is checked: nothing is forgotten, and what is not checked says why."""

from __future__ import annotations

import json

import pytest

from mcptest.cli import main
from mcptest.compliance import Book, Way, coverage

BOOK = Book.load()
COVERAGE = coverage(BOOK)
RULES = 420
# What the catalogue holds decidable from one session and is not: it takes two.
TWO_SESSIONS = {"PAGE-003", "TRANSPORT-STDIO-010"}


def test_every_rule_of_the_catalogue_has_its_place():
    assert len(COVERAGE.lines) == RULES
    assert {line.rule for line in COVERAGE.lines} >= set(BOOK.rules)


@pytest.mark.parametrize("line", COVERAGE.lines, ids=lambda line: line.rule)
def test_a_rule_is_checked_or_says_why_not(line):
    ways = set(line.ways.values())
    assert Way.PENDING not in ways
    assert len({way.offline for way in ways}) == 1, "checked in one revision, and not in another"
    assert (line.why is None) == line.ways[list(line.ways)[-1]].offline


def test_all_but_a_few_are_checked_from_traffic_alone():
    unchecked = {line.rule for line in COVERAGE.lines if not any(way.offline for way in line.ways.values())}
    assert unchecked >= TWO_SESSIONS
    assert len(unchecked) == 14


def test_the_counts_add_up():
    for revision in COVERAGE.revisions:
        counts = COVERAGE.counts(revision)
        assert counts.rules == counts.offline + counts.probe + counts.never + counts.pending
        assert counts.rules == len(BOOK.corpora.named(revision).demands)
        assert counts.stimulus < counts.offline


@pytest.fixture
def run(capsys):
    def run(*arguments: str) -> str:
        assert main(["compliance", "coverage", *arguments]) == 0
        return capsys.readouterr().out

    return run


def test_the_command_prints_a_line_for_each_revision(run):
    lines = run().splitlines()
    assert [line.split()[0] for line in lines] == ["revision", *COVERAGE.revisions]
    counts = COVERAGE.counts("v2026-07-28")
    assert [int(word) for word in lines[5].split()[1:]] == list(counts)


def test_it_prints_json(run):
    found = json.loads(run("--format", "json", "--family", "MRTR"))
    assert found["revisions"]["v2026-07-28"]["rules"] == 13
    assert found["rules"][10]["rule_id"] == "MRTR-011"
    assert found["rules"][10]["decided"]["draft"] == "probe"
    assert found["rules"][10]["why"].startswith("needs a probe")


def test_it_prints_a_table_in_markdown(run):
    text = run("--format", "markdown", "--family", "DEPR")
    assert "| DEPR-006 |" in text
    row = next(line for line in text.splitlines() if line.startswith("| DEPR-005"))
    assert row.endswith("|  |  |  | ✓ | ✓ | ✓ |")


def test_it_can_write_into_a_file(run, tmp_path):
    run("--format", "markdown", "-o", str(tmp_path / "table.md"))
    assert (tmp_path / "table.md").read_text(encoding="utf-8").startswith("| revision |")
