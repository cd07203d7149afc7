from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from mcptest.capture import Place, fold, verify
from tests.helpers.captures import Recorder
from tests.helpers.journals import Talk, sample


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "capture.duckdb")


def change(place: Place, sql: str) -> None:
    with duckdb.connect(str(place.database)) as connection:
        connection.execute(sql)


def test_a_capture_as_it_should_be_is_sound(place):
    sample("one").server('{"method":"\\ud800"}').server(b"\xff").write(place)
    live = Recorder(place, Talk("two").request(1, "a").frames)
    report = verify(place)
    assert report.sound
    assert [(checked.session, checked.messages, checked.lost) for checked in report.sessions] == [
        ("one", 15, 12),
        ("two", 1, 0),
    ]
    live.close()


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("DELETE FROM data.messages WHERE seq = 4", "messages: 12 rows, the journal gives 13"),
        ("UPDATE data.messages SET raw = raw || ' ' WHERE seq = 4", "messages: rows differ"),
        ("UPDATE data.exchanges SET duration = duration + 1 WHERE seq = 7", "exchanges: rows differ"),
        ("INSERT INTO data.frames FROM data.frames WHERE channel = 3", "frames: "),
        ("DELETE FROM data.gaps", "gaps: 0 rows, the journal gives 1"),
        ("UPDATE data.definitions SET definition = '{}'", "definitions: 1 are missing or differ"),
        ("DELETE FROM data.definitions", "definitions: 1 are missing or differ"),
        ("UPDATE data.sessions SET messages = 99", "sessions: messages is 99, the journal gives 13"),
    ],
)
def test_rows_that_the_journal_does_not_give_are_found(place, sql, text):
    sample().write(place)
    fold(place)
    change(place, sql)
    report = verify(place)
    assert not report.sound
    assert any(difference.startswith(text) for difference in report.sessions[0].differences)


def test_damage_in_a_journal_is_found(place):
    path = sample().write(place)
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"tools/list")] ^= 1
    path.write_bytes(raw[:-7])
    (checked,) = verify(place).sessions
    assert len(checked.damage) == 3
    assert "bytes from byte" in checked.damage[0]
    assert checked.damage[1] == "frame 5 is missing"
    assert "are no whole record" in checked.damage[2]
    assert checked.differences == ()


def test_a_journal_damaged_after_it_was_folded_is_found(place):
    path = sample().write(place)
    fold(place)
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"tools/list")] ^= 1
    path.write_bytes(raw)
    (checked,) = verify(place).sessions
    assert checked.damage
    assert "messages: 13 rows, the journal gives 12" in checked.differences


def test_journals_that_are_gone_foreign_or_stillborn_are_found(place):
    path = sample().write(place)
    fold(place)
    path.unlink()
    (place.journals / "a.mcpj").write_bytes(b"foreign" * 50)
    (place.journals / "b.mcpj").write_bytes(b"mcp")
    report = verify(place)
    assert not report.sound
    assert [difference.split(":")[0] for difference in report.sessions[0].differences] == [f"cannot read {path}"]
    assert len(report.problems) == 2
    assert "a.mcpj is not an mcptest journal" in report.problems[0]
    assert "b.mcpj ends before its first record" in report.problems[1]


def test_a_long_session_is_verified_in_stretches(place):
    talk = Talk()
    for number in range(3000):
        talk.request(number, "tools/list").result(number, tools=[{"name": f"t{number}"}, {"name": "same"}])
    talk.end().write(place)
    report = verify(place)
    assert report.sound
    assert report.sessions[0].messages == 6000
