from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import VIEWS, Capture, NothingRecorded, Place, fold, locate
from mcptest.errors import CaptureError, UsageError
from tests.helpers.captures import Recorder, process, tables
from tests.helpers.journals import START, Talk, sample


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "capture.duckdb")


def query(capture: Capture, sql: str) -> list[tuple]:
    return capture.connection.execute(sql).fetchall()


def everything(capture: Capture) -> dict[str, list[tuple]]:
    return {view: sorted(query(capture, f"FROM {view}"), key=repr) for view in VIEWS}


SAID = 13  # messages in a sample

READER = """
    import sys, duckdb
    connection = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "ro")
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_a_place_where_nothing_was_recorded_is_told_from_an_empty_capture(place):
    with pytest.raises(NothingRecorded, match=r"nothing recorded yet .* `mcptest record -- COMMAND`"):
        Capture.open(place)
    assert not place.database.parent.joinpath("capture.duckdb.lock").exists(), "looking leaves nothing behind"
    place.journals.mkdir()
    with pytest.raises(NothingRecorded):
        Capture.open(place)
    path = sample().write(place)
    fold(place)
    path.unlink()
    with Capture.open(place) as capture:
        assert len(capture.sessions()) == 1


def test_opening_folds_and_shows_what_was_said(place):
    sample(name="first").write(place)
    with Capture.open(place) as capture:
        (session,) = capture.sessions()
        assert (session.id, session.name, session.state, session.target) == ("0123456789ab", "first", "ended", "srv")
        assert (session.client_name, session.server_version, session.revision) == ("some client", "2.0", "2025-11-25")
        assert (session.messages, session.tool_calls, session.gaps, session.exit_code) == (SAID, 3, 12, 0)
        assert session.started_at.timestamp() == START / 1e9
        assert query(
            capture, "SELECT tool, arguments->>'a', is_error, round(duration_ms) FROM tool_calls ORDER BY seq"
        ) == [
            ("add", "1", False, 20),
            ("add", "3", False, 40),
            ("fail", None, True, 1),
        ]
        assert query(capture, "SELECT kind, code, method, name FROM errors ORDER BY seq") == [
            ("protocol", -32602, "tools/call", "fail"),
            ("malformed", None, None, None),
        ]
        assert query(capture, "SELECT line FROM stderr") == [("a warning",)]
        assert query(capture, "SELECT method, params FROM notifications") == [("notifications/initialized", None)]
        assert query(capture, "SELECT name, input_schema->>'type' FROM tools") == [("add", "object")]
        assert query(capture, "SELECT channel, frames, reason FROM gaps") == [
            ("stdout", 12, "the journal made no progress")
        ]
        assert query(capture, "SELECT status, count(*) FROM exchanges GROUP BY ALL ORDER BY ALL") == [
            ("answered", 4),
            ("error", 1),
            ("unanswered", 1),
        ]
    assert len(tables(place)["messages"]) == SAID


def test_the_frames_view_gives_back_every_frame(place):
    talk = sample().server(b"\xff\xfe").server([{"method": "a"}, {"method": "b"}]).server('{"a":"\\u0000 é"}')
    talk.write(place)
    with Capture.open(place) as capture:
        rows = query(capture, "SELECT seq, channel, data, size, sender FROM frames ORDER BY seq")
        assert rows == [(f.seq, f.channel_name, f.data, len(f.data), f.sender) for f in talk.frames]
        assert list(capture.frames("0123456789ab")) == talk.frames


def test_times_are_utc_and_comparable_with_now(place):
    Talk().request(1, "a").write(place)
    with Capture.open(place) as capture:
        assert query(capture, 'SELECT "at"::VARCHAR, "at" < now() FROM messages') == [
            ("2025-10-09 08:53:20.001+00", True)
        ]


def test_the_views_stand_in_the_file_too(place):
    sample().write(place)
    with Capture.open(place) as capture:
        expected = everything(capture)
    with duckdb.connect(str(place.database), read_only=True) as plain:
        plain.execute("SET TimeZone = 'UTC'")
        assert {view: sorted(plain.execute(f"FROM {view}").fetchall(), key=repr) for view in VIEWS} == expected


def test_what_cannot_be_folded_is_shown_all_the_same(place):
    talk = Talk("live").request(1, "tools/call", name="slow").request(2, "tools/list")
    talk.result(2, tools=[{"name": "a"}])
    recorder = Recorder(place, talk.frames)
    with Capture.open(place) as reader:
        assert [s.state for s in reader.sessions()] == ["live"]
        talk.result(1, after_ms=900).request(3, "tools/list").result(3, tools=[{"name": "a"}, {"name": "b"}])
        talk.gap(4).stderr("late")
        recorder.add(talk.frames[4:])
        sample("other").write(place)
        with Capture.open(place) as late:
            seen = everything(late)
            assert query(late, "SELECT seq, answer FROM exchanges WHERE session = 'live' ORDER BY seq") == [
                (1, 4),
                (2, 3),
                (5, 6),
            ]
            assert [(s.id, s.messages) for s in late.sessions()] == [("live", 6), ("other", SAID)]
        assert len(tables(place)["sessions"]) == 1, "the reader kept it from being folded"
        assert len(query(reader, "FROM sessions")) == 1, "a reader sees what was there when it opened"
    with Capture.open(place) as folded:
        assert everything(folded) == seen
    assert len(tables(place)["sessions"]) == 2
    recorder.close()


def test_another_program_that_reads_the_file_keeps_nobody_out(place):
    sample("first").write(place)
    fold(place)
    with process(READER, place.database, "ro"):
        sample("second").write(place)
        with Capture.open(place) as capture:
            assert [s.id for s in capture.sessions()] == ["first", "second"]
            assert len(query(capture, "FROM messages")) == 2 * SAID
    assert len(tables(place)["sessions"]) == 1
    with Capture.open(place):
        assert len(tables(place)["sessions"]) == 2


def test_another_program_that_writes_the_file_is_named(place, monkeypatch):
    monkeypatch.setattr("mcptest.capture.store._HELD_WAIT", 0.2)
    sample().write(place)
    fold(place)
    with (
        process(READER, place.database, "rw") as child,
        pytest.raises(CaptureError, match=rf"in use by python.* \(process {child.pid}\).*read-only") as caught,
    ):
        Capture.open(place)
    assert "\n" not in str(caught.value)
    assert len(tables(place)["sessions"]) == 1


@contextmanager
def unprivileged() -> Iterator[Path]:
    """A folder that the user may read and not write, even if the user is root."""
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        os.chmod(folder, 0o755)
        shutil.rmtree(folder)


def test_a_capture_that_cannot_be_written_is_read(place):
    with unprivileged() as folder:
        there = Place(folder / "capture.duckdb")
        sample("folded").write(there)
        fold(there)
        sample("new").write(there)
        for path in (*folder.rglob("*"), folder):
            os.chmod(path, 0o555 if path.is_dir() else 0o444)
        if os.geteuid() == 0:
            os.seteuid(65534)
        with Capture.open(there) as capture:
            assert [s.id for s in capture.sessions()] == ["folded", "new"]
        with pytest.raises((CaptureError, PermissionError)):
            fold(there)
    with unprivileged() as folder:
        there = Place(folder / "capture.duckdb")
        sample().write(there)
        for path in (*folder.rglob("*"), folder):
            os.chmod(path, 0o555 if path.is_dir() else 0o444)
        if os.geteuid() == 0:
            os.seteuid(65534)
        with Capture.open(there) as capture:
            assert len(query(capture, "FROM messages")) == SAID
        assert not there.database.exists()


def test_opening_without_folding_leaves_the_file_alone(place):
    sample().write(place)
    with Capture.open(place, fold=False) as capture:
        assert len(query(capture, "FROM messages")) == SAID
    assert not place.database.exists()


def test_a_log_left_by_a_killed_process_is_taken_in(place):
    sample().write(place)
    fold(place)
    code = """
import os, sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("UPDATE data.sessions SET name = 'from the log'")
os._exit(9)
"""
    subprocess.run([sys.executable, "-c", code, str(place.database)], check=False)
    assert place.database.with_name("capture.duckdb.wal").exists()
    with Capture.open(place) as capture:
        assert [s.name for s in capture.sessions()] == ["from the log"]


def test_problems_are_told_and_the_rest_is_there(place):
    sample().write(place)
    (place.journals / "x.mcpj").write_bytes(b"no journal at all" * 10)
    with Capture.open(place) as capture:
        assert len(capture.sessions()) == 1
        assert len(capture.problems) == 1
        assert "x.mcpj is not an mcptest journal" in capture.problems[0]


def test_a_session_is_found_by_what_a_user_may_call_it(place):
    for number, (session, name) in enumerate([("aa11", "web"), ("aa22", None), ("bb33", "web"), ("cc44", "aa11")]):
        Talk(session, name=name, at=START + number).end().write(place)
    with Capture.open(place) as capture:
        found = {
            spec: capture.resolve(spec).id for spec in ("last", "last:1", "last:4", "web", "aa2", "aa11", "cc", "bb33")
        }
        assert found == {
            "last": "cc44",
            "last:1": "cc44",
            "last:4": "aa11",
            "web": "bb33",
            "aa2": "aa22",
            "aa11": "aa11",
            "cc": "cc44",
            "bb33": "bb33",
        }
        for spec, text in [
            ("aa", "2 sessions begin with 'aa': aa11, aa22"),
            ("wen", "did you mean 'web'"),
            ("zzz", "the last one is cc44 ('aa11')"),
            ("last:5", "has 4 sessions"),
            ("last:0", "`last:1` to `last:4`"),
            ("", "no session ''"),
        ]:
            with pytest.raises(UsageError) as caught:
                capture.resolve(spec)
            assert text in str(caught.value)


def test_a_capture_without_sessions_says_so(place):
    path = sample().write(place)
    fold(place)
    path.unlink()
    with duckdb.connect(str(place.database)) as connection:
        connection.execute("DELETE FROM data.sessions")
    with Capture.open(place) as capture, pytest.raises(UsageError, match=r"no session in .* yet"):
        capture.resolve("last")


def test_a_journal_that_is_gone_is_told(place):
    path = sample().write(place)
    with Capture.open(place) as capture:
        assert capture.journal_path("0123456789ab") == path
        path.unlink()
        with pytest.raises(CaptureError, match="journal of session 0123456789ab is gone"):
            list(capture.frames("0123456789ab"))
        with pytest.raises(CaptureError, match="no session nowhere"):
            capture.journal_path("nowhere")


def test_a_folder_names_the_capture_in_it(tmp_path):
    assert locate(tmp_path) == Place(tmp_path / "capture.duckdb")
    assert locate(tmp_path / "x.duckdb").journals == tmp_path / "x.journals"
