"""Many recorders and many readers share one capture: no command fails and no message is missing."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path

from tests.proxy.wrapped import ECHO, MCPTEST, PATIENCE, environment, finish, start, wait_until

RECORDERS = 8
MESSAGES = 150


def sql(folder: Path, query: str) -> list[dict[str, object]]:
    result = subprocess.run(
        [*MCPTEST, "sql", "--format", "json", query],
        env=environment(folder),
        capture_output=True,
        timeout=PATIENCE * 2,
        check=False,
    )
    assert result.returncode == 0, result.stderr.decode()
    rows: list[dict[str, object]] = json.loads(result.stdout)
    return rows


def talk(process: subprocess.Popen[bytes], recorder: int, paused: threading.Event) -> None:
    assert process.stdin and process.stdout
    for number in range(MESSAGES):
        line = b'{"jsonrpc":"2.0","id":%d,"method":"ping","params":{"recorder":%d}}\n' % (number, recorder)
        process.stdin.write(line)
        got = b""
        while len(got) < len(line):
            got += process.stdout.read(len(line) - len(got))
        if number == MESSAGES // 2:
            paused.wait(PATIENCE)


def test_eight_recorders_and_queries_in_a_loop_lose_nothing(tmp_path):
    processes = [start(tmp_path, ECHO, "--name", f"recorder {index}") for index in range(RECORDERS)]
    paused = threading.Event()
    talkers = [threading.Thread(target=talk, args=(process, index, paused)) for index, process in enumerate(processes)]
    for talker in talkers:
        talker.start()
    journals = tmp_path / "capture.journals"
    assert wait_until(lambda: journals.exists() and len(list(journals.glob("*.mcpj"))) == RECORDERS)
    seen = 0
    for _ in range(3):  # while all of them record
        (row,) = sql(tmp_path, "select count(*) n, count(distinct session) s from messages")
        assert row["n"] >= seen
        seen = row["n"]
    failures: list[str] = []

    def ask() -> None:
        try:
            sql(tmp_path, "select tool, count(*) from tool_calls group by tool")
        except AssertionError as error:
            failures.append(str(error))

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    paused.set()
    for thread in (*talkers, *askers):
        thread.join(PATIENCE * 2)
    assert not failures
    for process in processes:
        assert finish(process) == 0

    def counts() -> list[dict[str, object]]:
        return sql(tmp_path, "select session, sender, count(*) n from messages group by all")

    rows = counts()
    assert len(rows) == 2 * RECORDERS
    assert {row["n"] for row in rows} == {MESSAGES}
    (whole,) = sql(tmp_path, "select count(*) n from exchanges where sender = 'client'")
    assert whole["n"] == RECORDERS * MESSAGES
    verified = subprocess.run(
        [*MCPTEST, "capture", "verify"], env=environment(tmp_path), capture_output=True, timeout=PATIENCE, check=False
    )
    assert verified.returncode == 0, verified.stderr.decode() + verified.stdout.decode()


def test_a_session_can_be_followed_while_it_runs(tmp_path):
    process = start(tmp_path, ECHO, "--name", "followed")
    first = b'{"jsonrpc":"2.0","id":1,"method":"first/one"}\n'
    process.stdin.write(first)
    assert process.stdout.read(len(first)) == first
    assert wait_until(lambda: bool(list((tmp_path / "capture.journals").glob("*.mcpj"))))
    follower = subprocess.Popen(
        [*MCPTEST, "show", "last", "--follow"], env=environment(tmp_path), stdout=subprocess.PIPE, text=True
    )
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(follower.stdout))
    reader.start()
    assert wait_until(lambda: any("first/one" in line for line in lines))
    second = b'{"jsonrpc":"2.0","id":2,"method":"second/one"}\n'
    process.stdin.write(second)
    assert process.stdout.read(len(second)) == second
    assert wait_until(lambda: any("second/one" in line for line in lines))
    assert finish(process) == 0
    assert follower.wait(PATIENCE) == 0
    reader.join(PATIENCE)
    follower.stdout.close()
