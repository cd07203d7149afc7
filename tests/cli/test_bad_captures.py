"""Captures that are unreadable, foreign, newer or damaged: one clear line and exit 2 from every command."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import Place
from tests.helpers.cli import Cli
from tests.helpers.journals import sample

COMMANDS = [["sessions"], ["show", "last"], ["sql", "select 1"], ["query", "latency"], ["export", "last", "-o", "-"]]


def foreign(place: Place) -> None:
    with duckdb.connect(str(place.database)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 42 AS a")


def newer(place: Place) -> None:
    with duckdb.connect(str(place.database)) as connection:
        connection.execute("UPDATE data.meta SET format = 99")


def no_database(place: Place) -> None:
    place.database.write_bytes(b"this is no database" * 1000)


def damaged(place: Place) -> None:
    data = bytearray(place.database.read_bytes())
    data[:4096] = os.urandom(4096)
    place.database.write_bytes(data)


# Those that open a capture in their own process do it all in the same way.
@pytest.mark.parametrize(
    ("command", "spoil"),
    [(command, foreign) for command in COMMANDS]
    + [(command, spoil) for command in (["sessions"], ["sql", "select 1"]) for spoil in (newer, no_database, damaged)],
)
def test_a_bad_capture_is_one_line_and_exit_2(cli: Cli, place: Place, spoil: object, command: list[str]) -> None:
    sample().write(place)
    if spoil in (newer, damaged):
        cli("sessions")
    spoil(place)  # type: ignore[operator]
    before = place.database.read_bytes()
    done = cli(*command)
    assert (done.code, done.out) == (2, "")
    assert str(place.database) in done.complaint
    assert place.database.read_bytes() == before


@pytest.mark.parametrize("spoil", [foreign, newer, no_database])
def test_nothing_is_imported_beside_a_database_that_could_not_take_it(cli: Cli, place: Place, spoil: object) -> None:
    sample().write(place)
    cli("export", "last", "-o", str(place.database.with_name("one.jsonl")))
    if spoil is foreign:
        place.database.unlink()
    spoil(place)  # type: ignore[operator]
    shutil.rmtree(place.journals)
    done = cli("import", str(place.database.with_name("one.jsonl")))
    assert (done.code, done.out) == (2, "")
    assert str(place.database) in done.complaint
    assert not place.journals.exists()


def test_pruning_a_foreign_database_without_journals_is_one_line_and_exit_2(cli: Cli, place: Place) -> None:
    place.database.parent.mkdir(exist_ok=True)
    foreign(place)
    done = cli("capture", "prune", "--older-than", "1d")
    assert (done.code, done.out) == (2, "")
    assert "not an mcptest capture" in done.complaint


def test_a_device_is_no_capture(cli: Cli) -> None:
    done = cli("sessions", "--capture", os.devnull)
    assert (done.code, done.out) == (2, "")
    assert "is not a capture" in done.complaint


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_capture_that_is_not_there_is_one_line_and_exit_2(cli: Cli, tmp_path: Path, command: list[str]) -> None:
    done = cli(*command, "--capture", str(tmp_path / "nowhere.duckdb"))
    assert (done.code, done.out) == (2, "")
    assert "nowhere.duckdb" in done.complaint
    assert not (tmp_path / "nowhere.duckdb").exists()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_file_that_is_no_capture_is_one_line_and_exit_2(cli: Cli, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    done = cli(*command, "--capture", str(tmp_path / "notes.txt"))
    assert (done.code, done.out) == (2, "")
    assert "notes.txt" in done.complaint


def test_a_damaged_journal_is_warned_of_and_the_others_are_shown(cli: Cli, place: Place) -> None:
    sample().write(place)
    (place.journals / "20250101T000000Z-ffffffffffff.mcpj").write_bytes(b"this is no journal" * 10)
    done = cli("sessions")
    assert done.code == 0
    assert "01234567" in done.out
    assert done.complaint.startswith("warning: ")
    assert cli("sql", "select count(*) from sessions").complaint.startswith("warning: ")
