from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from mcptest.capture import Capture, Place, fold, journals, rebuild, verify
from mcptest.errors import CaptureError
from mcptest.wire import Exchange, Frame, Session, journal
from mcptest.wire.frame import CONTINUED, STDIN, STDOUT
from mcptest.wire.rows import MessageRow
from tests.helpers.captures import Recorder, tables
from tests.helpers.journals import Talk, sample


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "capture.duckdb")


def state(place: Place) -> dict[str, str]:
    rows = tables(place)["sessions"]
    return {row[0]: row[2] for row in rows}


def test_the_tables_hold_what_judges_derive(place):
    talk = sample()
    talk.write(place)
    assert fold(place) == (1, len(talk.frames), ())
    held, derived = tables(place), Session.derive(talk.frames)
    exchanges = [Exchange(*row[1:]) for row in sorted(held["exchanges"])]
    assert [e._replace(mono=e.at - e.mono) for e in exchanges] == list(derived.exchanges), (
        "stored is what mono lags behind"
    )
    assert [row[1:] for row in held["errors"]] == [tuple(row) for row in derived.errors]
    assert [row[1:] for row in held["gaps"]] == [tuple(row) for row in derived.gaps]
    fields = MessageRow._fields
    stored = [dict(zip(fields, row[1:], strict=True)) for row in held["messages"]]
    assert [(m["seq"], m["kind"], m["raw"].encode()) for m in sorted(stored, key=lambda m: m["seq"])] == [
        (m.seq, m.kind, m.raw) for m in derived.messages
    ]


def test_folding_again_adds_nothing(place):
    sample().write(place)
    fold(place)
    before = tables(place)
    assert fold(place) == (0, 0, ())
    assert tables(place) == before


def test_a_deleted_database_is_folded_again_to_the_same_rows(place):
    for number in range(3):
        sample(f"session{number}").write(place)
    fold(place)
    before = tables(place)
    place.database.unlink()
    fold(place)
    assert tables(place) == before


def test_the_file_is_private(place):
    sample().write(place)
    old = os.umask(0)
    try:
        fold(place)
    finally:
        os.umask(old)
    assert {
        path.name: oct(path.stat().st_mode & 0o777) for path in place.database.parent.iterdir() if path.is_file()
    } == {
        "capture.duckdb": "0o600",
        "capture.duckdb.lock": "0o600",
    }


def test_a_live_journal_is_folded_step_by_step_to_the_same_rows(place, tmp_path):
    talk = sample().request("late", "tools/list").result("late", tools=[{"name": "t"}])
    early = talk.frames[-1]._replace(seq=len(talk.frames), data=b'{"id":"x","result":{}}', mono=10**15)
    talk.frames += [early, early._replace(seq=early.seq + 1, channel=STDIN, data=b'{"id":"x","method":"m"}', mono=1)]
    head, *rest = talk.frames
    recorder = Recorder(place, [head])
    for frame in rest:
        recorder.add([frame])
        assert fold(place).frames == (2 if frame.seq == 1 else 1)
    assert state(place) == {"0123456789ab": "ended"}
    recorder.close()
    whole = Place(tmp_path / "other" / "capture.duckdb")
    talk.write(whole)
    fold(whole)
    left, right = tables(place), tables(whole)
    del left["journals"], right["journals"]  # their seeds differ
    assert left == right


def test_a_request_without_an_answer_yet_is_replaced_by_the_answered_one(place):
    talk = Talk().request(1, "tools/call", name="slow")
    recorder = Recorder(place, talk.frames)
    fold(place)
    assert [(row[1], row[14]) for row in tables(place)["exchanges"]] == [(1, None)]
    recorder.add(talk.result(1, after_ms=500).frames[-1:])
    fold(place)
    assert [(row[1], row[14]) for row in tables(place)["exchanges"]] == [(1, 2)]
    recorder.close()


def test_a_line_in_several_records_is_joined_over_several_folds(place):
    talk = Talk()
    recorder = Recorder(place, talk.frames)
    text = '{"method":"é"}'.encode()
    for seq, (part, flags) in enumerate([(text[:12], CONTINUED), (text[12:13], CONTINUED), (text[13:], 0)], 1):
        recorder.add([Frame(seq, 1, 1, 0, STDOUT, flags, part)])
        fold(place)
    (message,) = [MessageRow(*row[1:]) for row in tables(place)["messages"]]
    assert (message.seq, message.method, message.raw, message.whole) == (3, "é", text.decode(), False)
    recorder.close()


def test_a_record_that_is_half_written_waits_for_its_other_half(place):
    talk = Talk().request(1, "a")
    recorder = Recorder(place, talk.frames[:1])
    record = b"".join(journal.encode(talk.frames[1], recorder.seed))
    recorder.write(record[:30])
    assert fold(place).frames == 1
    recorder.write(record[30:])
    assert fold(place).frames == 1
    assert len(tables(place)["messages"]) == 1
    assert tables(place)["damage"] == []
    recorder.close()


def test_a_session_is_live_until_its_recorder_ends_or_dies(place):
    talk = Talk("dies").request(1, "a")
    dying, ending = Recorder(place, talk.frames), Recorder(place, Talk("ends").end().frames)
    fold(place)
    assert state(place) == {"dies": "live", "ends": "ended"}
    ending.close()
    dying.write(b"half a rec")
    dying.close()
    fold(place)
    assert state(place) == {"dies": "interrupted", "ends": "ended"}
    row = next(row for row in tables(place)["sessions"] if row[0] == "dies")
    assert row[3:5] == (dying.path.stat().st_size - 10, 10), "the torn end is on record"
    before = tables(place)
    assert fold(place) == (0, 0, ())
    assert tables(place) == before


def test_a_journal_that_was_thought_dead_and_goes_on_is_folded_on(place):
    talk = Talk().request(1, "a").result(1)
    recorder = Recorder(place, talk.frames[:2])
    record = b"".join(journal.encode(talk.frames[2], recorder.seed))
    recorder.write(record[:20])
    recorder.close()
    fold(place)
    assert state(place) == {"0123456789ab": "interrupted"}
    with recorder.path.open("ab") as file:
        file.write(record[20:])
    fold(place)
    assert [row[14] for row in tables(place)["exchanges"]] == [2]
    assert tables(place)["sessions"][0][3:5] == (None, None)


def test_damage_and_missing_frames_are_on_record(place):
    talk = Talk().request(1, "a").result(1).request(2, "b").result(2).end()
    path = talk.write(place)
    raw = bytearray(path.read_bytes())
    raw[raw.index(b'"method": "a"')] ^= 1
    path.write_bytes(raw)
    assert fold(place).frames == len(talk.frames) - 1
    damage = tables(place)["damage"]
    assert [row[1] for row in damage] == ["corrupt", "missing"]
    assert damage[1][4:] == (1, 1)
    assert len(tables(place)["messages"]) == 3


def test_a_journal_without_a_readable_header_is_a_session_by_its_file_name(place):
    path = sample("realid").write(place)
    raw = bytearray(path.read_bytes())
    raw[journal.PREAMBLE_SIZE + 60] ^= 1
    path.write_bytes(raw)
    fold(place)
    assert state(place) == {"realid": "ended"}
    assert len(tables(place)["damage"]) == 2


@pytest.mark.parametrize("session", ["", "a/../b", "x" * 100, "a b", "é"])
def test_a_session_id_that_could_be_trouble_is_not_used(place, session):
    talk = sample("fine")
    head = json.loads(talk.frames[0].data) | {"session": session}
    talk.frames[0] = talk.frames[0]._replace(data=json.dumps(head).encode())
    Recorder(place, sample("fine").frames[:1]).close()
    path = journals.find(place.journals)[0]
    path.write_bytes(journal.preamble(1) + b"".join(b"".join(journal.encode(frame, 1)) for frame in talk.frames))
    fold(place)
    assert state(place) == {"fine": "ended"}


def test_a_journal_that_cannot_be_used_is_named_and_keeps_nobody_from_the_others(place):
    sample("good").write(place)
    folder = place.journals
    (folder / "a-foreign.mcpj").write_bytes(b"hello" * 100)
    (folder / "b-newer.mcpj").write_bytes(b"mcptest-journal 9.0 seed=00000000 crc=00000000\n" * 2)
    (folder / "c-link.mcpj").symlink_to(journals.find(folder)[0])
    os.mkfifo(folder / "d-pipe.mcpj")
    (folder / "e-empty.mcpj").touch()
    (folder / "f-folder.mcpj").mkdir()
    (folder / ".hidden.mcpj").write_bytes(b"x" * 500)
    (folder / "salt").write_bytes(b"s" * 32)
    folded = fold(place)
    assert folded.sessions == 1
    problems = "\n".join(folded.problems)
    for text in ("a-foreign.mcpj is not an mcptest journal", "b-newer.mcpj is in journal format 9", "f-folder.mcpj"):
        assert text in problems
    assert "e-empty" not in problems
    assert fold(place).problems == folded.problems, "it is said every time"


def test_a_copy_of_a_journal_is_not_folded_twice(place):
    path = sample().write(place)
    fold(place)
    before = tables(place)
    path.with_name("zz-copy.mcpj").write_bytes(path.read_bytes())
    folded = fold(place)
    assert folded[:2] == (0, 0)
    assert "is in " + path.name in folded.problems[0]
    assert tables(place) == before


def test_a_journal_that_was_replaced_or_cut_is_not_folded_on(place):
    path = sample().write(place)
    fold(place)
    before = tables(place)
    raw = path.read_bytes()
    path.write_bytes(raw[:-30])
    assert "shorter than it was" in fold(place).problems[0]
    other = Talk().call(1, "x").call(2, "y").frames * 20
    path.write_bytes(journal.preamble(99) + b"".join(b"".join(journal.encode(frame, 99)) for frame in other))
    assert "replaced by another file" in fold(place).problems[0]
    assert tables(place) == before


def test_a_journal_that_vanishes_while_others_are_folded_is_no_problem(place, monkeypatch):
    gone, path = sample("gone").write(place), sample("here").write(place)
    limits = {gone: gone.stat().st_size, path: path.stat().st_size}
    gone.unlink()
    monkeypatch.setattr("mcptest.capture.folding.sizes", lambda folder: dict(limits))
    assert fold(place) == (1, len(sample().frames), ())


def test_a_journal_that_fails_halfway_leaves_no_half_of_its_rows(place, monkeypatch):
    sample("first").write(place)
    bad = sample("second").write(place)
    sample("third").write(place)
    read = journals.read

    def failing(path, *arguments, **options):
        yield from read(path, *arguments, **options)
        if path == bad:
            raise CaptureError(f"cannot read {path}: Input/output error")

    monkeypatch.setattr(journals, "read", failing)
    folded = fold(place)
    assert (folded.sessions, folded.problems) == (2, (f"cannot read {bad}: Input/output error",))
    assert {row[0] for row in tables(place)["messages"]} == {"first", "third"}
    with Capture.open(place) as capture:
        assert [s.id for s in capture.sessions()] == ["first", "third"]
        assert capture.problems == folded.problems
    monkeypatch.undo()
    assert fold(place).sessions == 1
    assert verify(place).sound


@pytest.mark.parametrize(
    "state", ["", "no json", "[]", "5", '{"facts": {"evil": 1}}', '{"parts": [5]}', '{"early": [[]]}']
)
def test_a_state_that_makes_no_sense_is_refused(place, state):
    recorder = Recorder(place, Talk().request(1, "a").frames)
    fold(place)
    with duckdb.connect(str(place.database)) as connection:
        connection.execute("UPDATE data.journals SET derivation = ?", [state])
    recorder.add(Talk().request(1, "a").result(1).frames[2:])
    folded = fold(place)
    if state != "[]":  # which is as good as none
        assert "run `mcptest capture rebuild`" in folded.problems[0]
    recorder.close()
    rebuild(place)
    assert verify(place).sound


def test_an_id_that_is_no_utf_8_pairs_over_two_folds(place):
    talk = Talk().client('{"id":"\\ud800","method":"m"}')
    recorder = Recorder(place, talk.frames)
    fold(place)
    recorder.add(talk.server('{"id":"\\ud800","result":{}}').frames[-1:])
    fold(place)
    assert [(row[7], row[14]) for row in tables(place)["exchanges"]] == [("\\ud800", 2)]
    recorder.close()


def test_a_definition_listed_many_times_is_kept_once(place):
    for number in range(3):
        talk = Talk(f"s{number}")
        for again in range(4):
            talk.request(again, "tools/list").result(again, tools=[{"name": "a"}, {"name": "b"}])
        talk.write(place)
    fold(place)
    assert len(tables(place)["items"]) == 3 * 4 * 2
    assert len(tables(place)["definitions"]) == 2


def test_many_journals_go_in_together(place):
    for number in range(15):
        sample(f"s{number:02}").write(place)
    assert fold(place).sessions == 15
    assert verify(place).sound


def test_a_long_fold_is_committed_in_parts_and_loses_nothing(place, monkeypatch):
    monkeypatch.setattr("mcptest.capture.folding._LARGEST_TURN", 1)
    monkeypatch.setattr("mcptest.capture.journals._BLOCK", 10_000)
    monkeypatch.setattr("mcptest.capture.journals.read.__kwdefaults__", {"final": True, "until": None, "block": 10_000})
    talk = Talk()
    for number in range(400):
        talk.request(number, "tools/call", name="t")
    for number in range(400):
        talk.result(number)
    talk.end().write(place)
    assert fold(place).frames == len(talk.frames)
    held = tables(place)
    assert [row[14] for row in sorted(held["exchanges"], key=lambda row: row[1])] == list(range(401, 801))
    assert verify(place).sound


FOLD = "import sys; from pathlib import Path; from mcptest.capture import Place, fold; fold(Place(Path(sys.argv[1])))"


@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.full)])
def test_kill_9_at_any_moment_of_a_fold_leaves_a_capture_that_folds_on(place, kills):
    talk = Talk()
    for number in range(6_000):
        talk.call(number, f"tool{number % 7}", text="some words " * 10)
    talk.end().write(place)
    chance = random.Random(kills)
    for _ in range(kills):
        child = subprocess.Popen([sys.executable, "-c", FOLD, str(place.database)])
        time.sleep(chance.uniform(0.15, 0.7))
        child.send_signal(signal.SIGKILL)
        child.wait()
        if chance.random() < 0.5:
            fold(place)
            assert verify(place).sound
            place.database.unlink()
    fold(place)
    assert verify(place).sound
    kept = tables(place)
    assert len(kept["messages"]) == 12_000
    rebuild(place)
    assert tables(place) == kept
