from __future__ import annotations

import os
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import Capture, Place, fold, folding, journals, locks, prune, rebuild, verify
from mcptest.errors import CaptureError
from tests.helpers.captures import Recorder, process, tables
from tests.helpers.journals import START, Talk, sample

DAY = 86_400 * 10**9


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "capture.duckdb")


def beside(place: Place) -> set[str]:
    return {path.name for path in place.database.parent.iterdir()}


def test_a_rebuilt_database_holds_the_same_rows(place):
    for number in range(3):
        sample(f"s{number}").write(place)
    fold(place)
    before, file = tables(place), place.database.stat().st_ino
    assert rebuild(place)[:2] == (3, 3 * len(sample().frames))
    assert tables(place) == before
    assert place.database.stat().st_ino != file
    assert beside(place) == {"capture.duckdb", "capture.duckdb.lock", "capture.journals"}
    assert place.database.stat().st_mode & 0o777 == 0o600


def test_rebuilding_mends_a_damaged_file_and_keeps_it(place):
    sample().write(place)
    place.database.write_bytes(b"rubbish")
    rebuild(place)
    assert verify(place).sound
    (kept,) = place.database.parent.glob("*.damaged-*")
    assert kept.read_bytes() == b"rubbish"


def test_rebuilding_mends_tables_of_another_shape(place):
    sample().write(place)
    fold(place)
    with duckdb.connect(str(place.database)) as connection:
        connection.execute("DROP TABLE data.gaps CASCADE")
    rebuild(place)
    assert verify(place).sound


def test_rebuilding_does_not_replace_what_is_not_ours(place):
    sample().write(place)
    with duckdb.connect(str(place.database)) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 42")
    before = place.database.read_bytes()
    with pytest.raises(CaptureError, match="not an mcptest capture"):
        rebuild(place)
    assert place.database.read_bytes() == before


def test_rebuilding_does_not_lose_sessions_without_a_journal(place):
    path = sample("gone").write(place)
    sample("here").write(place)
    fold(place)
    path.unlink()
    before = tables(place)
    with pytest.raises(CaptureError, match=r"1 sessions of .* would be lost, gone among them"):
        rebuild(place)
    assert tables(place) == before
    rebuild(place, forget=True)
    assert [row[0] for row in tables(place)["sessions"]] == ["here"]


def test_without_journals_there_is_nothing_to_rebuild_from(place):
    with pytest.raises(CaptureError, match="no journals in"):
        rebuild(place)
    assert not place.database.exists()


def test_readers_that_wait_for_a_rebuild_do_not_stop_it(place, monkeypatch):
    monkeypatch.setattr("mcptest.capture.upkeep._WAIT", 1.0)
    sample().write(place)
    fold(place)
    reader = """
        import sys
        from pathlib import Path
        from mcptest.capture import Capture, Place
        print("ready", flush=True)
        with Capture.open(Place(Path(sys.argv[1]))) as capture:
            assert len(capture.sessions()) == 1
    """
    fold_into, calls = folding.fold_into, []
    with ExitStack() as waiting:

        def with_a_reader_at_the_gate(*arguments, **options):
            calls.append(arguments)
            if len(calls) == 2:  # now the rebuild holds the lock
                waiting.enter_context(process(reader, place.database))
                deadline = time.monotonic() + 30
                while not locks.is_wanted(place.journals):
                    assert time.monotonic() < deadline
                    time.sleep(0.01)
            return fold_into(*arguments, **options)

        monkeypatch.setattr(folding, "fold_into", with_a_reader_at_the_gate)
        assert rebuild(place).sessions == 1
    assert len(calls) == 2
    assert verify(place).sound


def test_what_a_killed_rebuild_left_behind_is_removed(place):
    sample().write(place)
    left = place.database.with_name(".capture.duckdb.rebuild-0123456789ab")
    for name in (left, left.with_name(left.name + ".lock"), left.with_name(left.name + ".wal")):
        name.write_bytes(b"left")
    rebuild(place)
    assert beside(place) == {"capture.duckdb", "capture.duckdb.lock", "capture.journals"}


def test_an_old_log_is_not_applied_to_the_new_file(place):
    sample().write(place)
    fold(place)
    code = """
        import os, sys, duckdb
        connection = duckdb.connect(sys.argv[1])
        connection.execute("UPDATE data.sessions SET name = 'from the log'")
        print("ready", flush=True)
        sys.stdin.read()
        os._exit(0)
    """
    with process(code, place.database):
        pass
    assert place.database.with_name("capture.duckdb.wal").exists()
    rebuild(place)
    assert verify(place).sound
    with Capture.open(place) as capture:
        assert capture.sessions()[0].name is None


def test_pruning_removes_old_sessions_with_their_journals(place):
    now = time.time_ns()
    old = Talk("old", at=now - 40 * DAY).request(1, "tools/list").result(1, tools=[{"name": "only here"}]).end()
    path = old.write(place)
    new = sample("new", at=now - 20 * DAY)
    new.write(place)
    size = path.stat().st_size
    assert prune(place, timedelta(days=30), dry_run=True) == (("old",), size)
    assert path.exists()
    assert len(tables(place)["sessions"]) == 2
    assert prune(place, timedelta(days=30)) == (("old",), size)
    assert not path.exists()
    held = tables(place)
    assert [row[0] for row in held["sessions"]] == ["new"]
    assert not any("only here" in repr(rows) for rows in held.values())
    assert verify(place).sound
    assert prune(place, timedelta(days=30)) == ((), 0)


def test_pruning_never_touches_a_session_that_is_being_recorded(place):
    recorder = Recorder(place, Talk("live", at=START).request(1, "a").frames)
    assert prune(place, timedelta(0)) == ((), 0)
    assert recorder.path.exists()
    recorder.close()
    assert prune(place, timedelta(0)).sessions == ("live",)
    assert not recorder.path.exists()


def test_pruning_removes_old_journals_that_never_began(place):
    place.journals.mkdir()
    path = place.journals / "20200101T000000Z-x.mcpj"
    path.write_bytes(b"mcptest-jour")
    os.utime(path, (0, 0))
    sample(at=START).write(place)
    assert prune(place, timedelta(days=1)).sessions == ("0123456789ab",)
    assert journals.find(place.journals) == []


def test_pruning_where_nothing_is_does_nothing(place):
    assert prune(place, timedelta(0)) == ((), 0)
    assert beside(place) == set()
