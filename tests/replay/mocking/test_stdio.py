"""The mock as a process: lines in, lines out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from mcptest.capture import formats
from tests.helpers.cli import PATIENCE, environment
from tests.helpers.journals import Talk
from tests.replay.mocking.test_conversation import note
from tests.replay.recorded import PLAIN

MOCK = [sys.executable, "-m", "mcptest", "mock"]


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    talk = Talk().handshake().call(1, "look", after_ms=40, city="Berlin")
    talk.request(2, "tools/call", name="slow", arguments={}, _meta={"progressToken": 2})
    talk.server(note("notifications/progress", progressToken=2, progress=1), after_ms=30)
    talk.result(2, after_ms=30, content=[])
    return write(talk, tmp_path / "golden.jsonl")


def write(talk: Talk, path: Path) -> Path:
    with path.open("wb") as file:
        formats.get("jsonl").write(iter(talk.frames), file)
    return path


class Process:
    def __init__(self, folder: Path, *arguments: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [*MOCK, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(folder / "capture", **env),
        )
        self._deadline = threading.Timer(PATIENCE, self.process.kill)
        self._deadline.start()

    def send(self, message: Any) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        return json.loads(self.process.stdout.readline())

    def call(self, tool: str, identity: Any = 5, **arguments: Any) -> None:
        params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": identity}}
        self.send({"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": params})

    def end(self) -> tuple[int, str]:
        self.process.stdin.close()
        err = self.process.stderr.read().decode()
        code = self.process.wait(PATIENCE)
        self._deadline.cancel()
        for pipe in (self.process.stdout, self.process.stderr):
            pipe.close()
        return code, err


def test_the_mock_answers_until_its_input_ends(tmp_path, golden):
    mock = Process(tmp_path, str(golden))
    mock.call("look", city="Berlin")
    assert mock.receive()["result"]["content"][0]["text"] == "look is done"
    assert mock.end() == (0, "")


def test_what_is_on_its_way_when_the_input_ends_is_still_said(tmp_path, golden):
    mock = Process(tmp_path, str(golden), "--fault", "slow:200")
    mock.call("slow")
    mock.process.stdin.close()
    assert [mock.receive().get("method") for _ in range(2)] == ["notifications/progress", None]
    assert mock.end()[0] == 0


def test_recorded_latency_is_kept_or_scaled(tmp_path, golden):
    for latency, least in (("recorded", 0.06), ("2xrecorded", 0.12)):
        mock = Process(tmp_path, str(golden), "--latency", latency)
        mock.call("slow", "first")
        assert mock.receive()["method"] == "notifications/progress"
        mock.receive()
        began = time.monotonic()
        mock.call("slow")
        assert [mock.receive().get("method") for _ in range(2)] == ["notifications/progress", None]
        assert time.monotonic() - began >= least
        mock.end()


def test_a_cancelled_request_gets_no_late_answer(tmp_path, golden):
    mock = Process(tmp_path, str(golden), "--fault", "slow:300")
    mock.call("look", 1, city="Berlin")
    mock.send(note("notifications/cancelled", requestId=1))
    mock.call("look", 2, city="Berlin")
    assert mock.receive()["id"] == 2
    mock.end()


def test_strict_fails_with_what_was_never_asked_for(tmp_path, golden):
    mock = Process(tmp_path, str(golden), "--strict")
    mock.call("look", city="Berlin")
    mock.receive()
    code, err = mock.end()
    assert code == 1
    assert err.splitlines() == ["never asked for: initialize", "never asked for: tools/call slow"]


def test_a_wedged_mock_ends_only_with_whoever_started_it(tmp_path, golden):
    starter = (
        "import subprocess, sys\n"
        f"mock = subprocess.Popen({[*MOCK, str(golden), '--fault', 'wedged']!r}, stdin=subprocess.PIPE)\n"
        'mock.stdin.write(b\'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}\\n\')\n'
        "mock.stdin.close()\n"
        "print(mock.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", starter], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(tmp_path / "c")
    )
    pid = int(parent.stdout.readline())
    deadline = time.monotonic() + PATIENCE
    while not ignores_term(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(pid, signal.SIGTERM)
    assert alive(pid)
    parent.kill()
    parent.communicate()
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(pid)


def ignores_term(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    ignored = next(line.split()[1] for line in status.splitlines() if line.startswith("SigIgn"))
    return bool(int(ignored, 16) >> (signal.SIGTERM - 1) & 1)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_what_was_not_recorded_is_forwarded_and_added(tmp_path):
    golden = write(Talk().handshake(), tmp_path / "golden.jsonl")
    options = [str(golden), "--on-miss", "forward", "--to", " ".join(PLAIN)]
    calls = tmp_path / "calls"
    mock = Process(tmp_path, *options, CALLS=str(calls))
    for identity in (1, 2):
        mock.call("look", identity, city="Oslo")
        answer = mock.receive()
        assert (answer["id"], answer["result"]["structuredContent"]["city"]) == (identity, "Oslo")
    code, err = mock.end()
    assert code == 0
    assert "1 forwarded exchange was added" in err
    assert calls.read_text(encoding="utf-8").split() == ["look"]
    again = Process(tmp_path, str(golden))
    again.call("look", 7, city="Oslo")
    assert again.receive()["result"]["structuredContent"]["city"] == "Oslo"
    again.end()


def test_forwarding_passes_through_the_safety_policy(tmp_path):
    golden = write(Talk().handshake(), tmp_path / "golden.jsonl")
    calls = tmp_path / "calls"
    mock = Process(tmp_path, str(golden), "--on-miss", "forward", "--to", " ".join(PLAIN), CALLS=str(calls))
    for identity, (tool, arguments) in enumerate(
        (("delete_note", {"id": "x"}), ("create_note", {"text": "a"}), ("create_note", {"text": "b"}))
    ):
        mock.call(tool, identity, **arguments)
        answer = mock.receive()
        assert ("result" in answer) is (identity == 1), answer
        if identity != 1:
            assert "not forwarded" in answer["error"]["message"]
    mock.end()
    assert calls.read_text(encoding="utf-8").split() == ["create_note"]


def test_a_target_that_cannot_be_started_is_told_to_the_client(tmp_path):
    golden = write(Talk().handshake(), tmp_path / "golden.jsonl")
    mock = Process(tmp_path, str(golden), "--on-miss", "forward", "--to", "/nonexistent/server")
    mock.call("look", city="Oslo")
    assert "cannot start" in mock.receive()["error"]["message"]
    assert mock.end()[0] == 0
