"""Servers as child processes."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

import pytest

from mcptest.errors import TargetError
from mcptest.transport import Ears, Lost, Patience, connect
from mcptest.transport.target import command
from mcptest.wire.frame import CHANNELS, PARTIAL

QUICK = Patience(end=0.3, term=0.3)
ECHO = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": message.get("params", {})}), flush=True)
"""


def python(source: str, *arguments: str):
    return command([sys.executable, "-c", source, *arguments])


class Tape:
    def __init__(self) -> None:
        self.frames: list[tuple[str, bytes, int]] = []

    def __call__(self, channel, data, *, conn=0, flags=0, meta=b""):
        self.frames.append((CHANNELS[channel], data, flags))

    def of(self, channel: str) -> list[bytes]:
        return [data for name, data, _ in self.frames if name == channel]

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(data) for data in self.of("event")]


def ask(method: str = "x", identity: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def test_what_is_asked_is_answered_and_taped_in_order():
    tape = Tape()

    async def scene():
        async with connect(python(ECHO), tap=tape, patience=QUICK) as peer:
            return await peer.ask(ask(a=1), 10)

    answer = asyncio.run(scene())
    assert answer.body["result"] == {"a": 1}
    assert answer.duration > 0
    assert [name for name, _, _ in tape.frames[:3]] == ["event", "stdin", "stdout"]
    assert [event["event"] for event in tape.events()][-2:] == ["exit", "end"]


@pytest.mark.parametrize("size", [1 << 16, (1 << 16) + 1, 5 << 20])
def test_a_line_may_be_of_any_length_in_both_directions(size):
    async def scene():
        async with connect(python(ECHO), patience=QUICK) as peer:
            return await peer.ask(ask(text="x" * size), 30)

    assert asyncio.run(scene()).body["result"]["text"] == "x" * size


def test_answers_are_told_apart_by_the_type_of_their_id():
    async def scene():
        async with connect(python(ECHO), patience=QUICK) as peer:
            futures = [await peer.begin(ask(identity=identity, got=identity)) for identity in (1, "1", 2)]
            return [(await future).body["result"]["got"] for future in futures]

    assert asyncio.run(scene()) == [1, "1", 2]


def test_a_server_that_dies_is_told_with_its_last_words():
    source = "import sys; sys.stdin.readline(); print('no more', file=sys.stderr); sys.exit(9)"

    async def scene():
        async with connect(python(source), patience=QUICK) as peer:
            with pytest.raises(Lost, match="exit code 9; its last words: no more"):
                await peer.ask(ask(), 10)
            with pytest.raises(Lost):
                await peer.ask(ask(identity=2), 10)

    asyncio.run(scene())


def test_a_command_that_cannot_be_started_is_told():
    async def scene():
        async with connect(command(["/nonexistent/server"])):
            raise AssertionError

    with pytest.raises(TargetError, match="cannot start '/nonexistent/server'"):
        asyncio.run(scene())


def test_a_server_that_ignores_everything_is_ended_with_all_that_it_started():
    source = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print('{"jsonrpc":"2.0","method":"started","params":{"pid":%d}}' % child.pid, flush=True)
time.sleep(60)
"""
    heard: list[dict[str, Any]] = []

    class Listening(Ears):
        def notified(self, message):
            heard.append(message)
            news.set()

    news = asyncio.Event()

    async def scene():
        async with connect(python(source), ears=Listening(), patience=QUICK) as peer:
            async with asyncio.timeout(20):
                await news.wait()
            return peer.connection.pid

    pid = asyncio.run(scene())
    deadline = time.monotonic() + 20
    for process in (pid, heard[0]["params"]["pid"]):
        while is_alive(process) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not is_alive(process)


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_last_line_without_a_newline_still_counts():
    source = 'import sys; sys.stdin.readline(); sys.stdout.write(\'{"jsonrpc":"2.0","id":1,"result":{}}\')'
    tape = Tape()

    async def scene():
        async with connect(python(source), tap=tape, patience=QUICK) as peer:
            return await peer.ask(ask(), 10)

    assert asyncio.run(scene()).body["result"] == {}
    assert ("stdout", b'{"jsonrpc":"2.0","id":1,"result":{}}', PARTIAL) in tape.frames


def test_noise_is_no_answer_and_stderr_is_taped():
    source = "import sys; print('log', file=sys.stderr, flush=True); print('noise', flush=True)\n" + ECHO
    tape, noise = Tape(), []

    class Listening(Ears):
        def garbled(self, data, reason):
            noise.append(data)

    async def scene():
        async with connect(python(source), ears=Listening(), tap=tape, patience=QUICK) as peer:
            return await peer.ask(ask(), 10)

    asyncio.run(scene())
    assert noise == [b"noise"]
    assert tape.of("stderr") == [b"log"]


def test_the_environment_and_the_folder_are_as_asked(tmp_path):
    source = "import os, sys\n" + ECHO.replace(
        'message.get("params", {})', '{"e": os.environ["E"], "cwd": os.getcwd()}'
    )

    async def scene():
        target = command([sys.executable, "-c", source], env={"E": "here"}, cwd=tmp_path)
        async with connect(target, patience=QUICK) as peer:
            return (await peer.ask(ask(), 10)).body["result"]

    assert asyncio.run(scene()) == {"e": "here", "cwd": os.path.realpath(tmp_path)}
