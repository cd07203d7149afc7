from __future__ import annotations

import json
import time
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import Place, journals
from tests.helpers.cli import Cli
from tests.helpers.journals import START, sample


def test_the_path_is_told_even_before_anything_is_recorded(cli: Cli, place: Place) -> None:
    assert cli("capture", "path") == (0, f"{place.database}\n", "")
    assert not place.database.exists()


def test_the_path_can_be_given_to_another_tool(cli: Cli, place: Place) -> None:
    sample().write(place)
    cli("sessions")
    with duckdb.connect(cli("capture", "path").out.strip(), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM messages").fetchall() == [(13,)]


def test_info_tells_what_there_is(cli: Cli, place: Place) -> None:
    sample().write(place)
    sample("abcdef012345", at=START + 10**12).write(place)
    lines = dict(line.split(None, 1) for line in cli("capture", "info").out.splitlines())
    assert lines["database"].startswith(f"{place.database} (")
    assert "(2 files, " in lines["journals"]
    assert (lines["sessions"], lines["messages"]) == ("2", "26")


def test_verifying_a_sound_capture_says_so(cli: Cli, place: Place) -> None:
    sample().write(place)
    done = cli("capture", "verify")
    assert (done.code, done.err) == (0, "")
    assert done.out == "1 sessions, 19 frames: all is there; 12 frames were dropped while recording\n"


def test_verifying_a_damaged_journal_exits_1_and_names_the_session(cli: Cli, place: Place) -> None:
    path = sample().write(place)
    data = bytearray(path.read_bytes())
    data[data.index(b"tools/list")] ^= 1
    path.write_bytes(data)
    done = cli("capture", "verify")
    assert done.code == 1
    assert done.out.startswith("0123456789ab: ")
    assert "not all is there" in done.out


def test_verifying_rows_that_somebody_changed_exits_1(cli: Cli, place: Place) -> None:
    sample().write(place)
    cli("sessions")
    with duckdb.connect(str(place.database)) as connection:
        connection.execute("DELETE FROM data.messages WHERE method = 'ping'")
    done = cli("capture", "verify")
    assert done.code == 1
    assert "0123456789ab: messages: 12 rows, the journal gives 13" in done.out


def test_a_deleted_database_is_rebuilt_the_same(cli: Cli, place: Place) -> None:
    sample().write(place)
    question = ("sql", "from messages order by seq", "--format", "json")
    before = cli(*question)
    place.database.unlink()
    assert cli("capture", "rebuild") == (0, "1 sessions, 19 frames\n", "")
    assert cli(*question) == before
    assert len(json.loads(before.out)) == 13


def test_a_damaged_database_is_kept_aside_by_a_rebuild(cli: Cli, place: Place) -> None:
    sample().write(place)
    place.database.write_bytes(b"this is no database" * 1000)
    assert cli("sessions").code == 2
    assert cli("capture", "rebuild").code == 0
    assert cli("sessions").code == 0
    [aside] = place.database.parent.glob("*.damaged-*")
    assert aside.read_bytes().startswith(b"this is no database")


def test_sessions_without_a_journal_are_not_lost_by_a_rebuild_unless_told(cli: Cli, place: Place) -> None:
    sample().write(place)
    gone = sample("abcdef012345", at=START + 10**12).write(place)
    cli("sessions")
    gone.unlink()
    refused = cli("capture", "rebuild")
    assert refused.code == 2
    assert "abcdef012345" in refused.complaint
    assert cli("capture", "rebuild", "--forget").out == "1 sessions, 19 frames\n"


def test_nothing_to_rebuild_from_is_an_error(cli: Cli) -> None:
    assert cli("capture", "rebuild").code == 2


def test_old_sessions_are_pruned_and_new_ones_stay(cli: Cli, place: Place) -> None:
    sample().write(place)
    sample("abcdef012345", at=time.time_ns()).write(place)
    rehearsal = cli("capture", "prune", "--older-than", "30d", "--dry-run").out.splitlines()
    assert rehearsal[0] == "0123456789ab"
    assert rehearsal[1].startswith("1 sessions would be removed, ")
    assert len(journals.find(place.journals)) == 2
    assert cli("capture", "prune", "--older-than", "30d").out.splitlines()[1].startswith("1 sessions removed, ")
    assert [path.stem[-12:] for path in journals.find(place.journals)] == ["abcdef012345"]
    assert [row["id"] for row in json.loads(cli("sessions", "--format", "json").out)] == ["abcdef012345"]


@pytest.mark.parametrize("age", ["", "soon", "30", "-1d", "1y", "d", "1e9d", "nan", "9" * 30 + "d", "1d1d"])
def test_an_age_that_is_none_is_refused_and_nothing_is_removed(cli: Cli, place: Place, age: str) -> None:
    sample().write(place)
    done = cli("capture", "prune", f"--older-than={age}")
    assert (done.code, done.out) == (2, "")
    assert "30d" in done.complaint
    assert len(journals.find(place.journals)) == 1


@pytest.mark.parametrize("age", ["30d", "1.5h", "2 w", "90min", "0d"])
def test_ages_can_be_given_in_several_units(cli: Cli, place: Place, age: str) -> None:
    assert cli("capture", "prune", "--older-than", age).out.startswith("0 sessions")


@pytest.mark.parametrize("command", [["info"], ["verify"]])
def test_a_capture_that_is_not_there_is_one_line_and_exit_2(cli: Cli, tmp_path: Path, command: list[str]) -> None:
    done = cli("capture", *command, "--capture", str(tmp_path / "nowhere.duckdb"))
    assert (done.code, done.out) == (2, "")
    assert "nowhere.duckdb" in done.complaint
