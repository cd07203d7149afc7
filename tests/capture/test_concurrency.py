"""Many recorders and many readers on one capture: no failed command, no missing message."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcptest.capture import Capture, Place, verify

RECORDER = """
import json, sys, time
from pathlib import Path
from mcptest.capture import Place, fold
from tests.helpers.captures import Recorder
from tests.helpers.journals import Talk

place, session, calls = Place(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
talk = Talk(session, at=time.time_ns()).handshake()
recorder = Recorder(place, talk.frames)
written = len(talk.frames)
for number in range(1, calls + 1):
    talk.request(number, "tools/call", name=f"tool{number % 5}", arguments={"text": "word " * 20})
    if number % 3:
        talk.result(number, content=[])
    if number % 25 == 0:
        recorder.add(talk.frames[written:])
        written = len(talk.frames)
        time.sleep(0.01)
talk.end()
recorder.add(talk.frames[written:])
recorder.close()
fold(place)
"""

READER = """
import sys, time
from pathlib import Path
from mcptest.capture import Capture, NothingRecorded, Place

place, end = Place(Path(sys.argv[1])), Path(sys.argv[2])
seen, rounds = {}, 0
while not end.exists():
    try:
        with Capture.open(place) as capture:
            assert not capture.problems, capture.problems
            query = "SELECT s.id, s.messages, (SELECT count(*) FROM messages m WHERE m.session = s.id) FROM sessions s"
            for session, counted, rows in capture.connection.execute(query).fetchall():
                assert counted == rows, (session, counted, rows)
                assert rows >= seen.get(session, 0), (session, rows, seen)
                seen[session] = rows
            twice = "SELECT session, seq, count(*) FROM exchanges GROUP BY ALL HAVING count(*) > 1"
            assert not capture.connection.execute(twice).fetchall()
    except NothingRecorded:
        pass
    rounds += 1
print(rounds)
"""


@pytest.mark.parametrize(
    ("recorders", "readers", "calls"), [(8, 3, 400), pytest.param(50, 4, 400, marks=pytest.mark.full)]
)
def test_many_recorders_and_readers_lose_nothing(tmp_path, recorders, readers, calls):
    place, end = Place(tmp_path / "capture.duckdb"), tmp_path / "end"
    root = Path(__file__).parents[2]

    def start(code: str, *arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", code, str(place.database), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=root,
        )

    reading = [start(READER, end) for _ in range(readers)]
    recording = [start(RECORDER, f"session{number:02}", calls) for number in range(recorders)]
    failed = []
    for child in recording:
        _, errors = child.communicate(timeout=120)
        failed += [errors] if child.returncode else []
    end.touch()
    for child in reading:
        rounds, errors = child.communicate(timeout=120)
        failed += [errors] if child.returncode or int(rounds) < 2 else []
    assert failed == []
    with Capture.open(place) as capture:
        sessions = capture.sessions()
        assert [session.state for session in sessions] == ["ended"] * recorders
        assert {session.messages for session in sessions} == {3 + calls + calls - calls // 3}
        assert capture.connection.execute("SELECT count(*) FROM tool_calls").fetchall() == [(recorders * calls,)]
    assert verify(place).sound
