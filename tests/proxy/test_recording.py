"""Nothing recorded is lost, whatever happens to the disk and the processes; what is lost is counted."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest

from mcptest.capture import journals
from mcptest.wire.frame import GAP, STDIN, STDOUT
from tests.proxy.wrapped import (
    ECHO,
    PATIENCE,
    environment,
    events,
    finish,
    frames,
    gaps,
    journal_paths,
    run,
    start,
    stream,
    wait_until,
)


def recorder_of(process: subprocess.Popen[bytes]) -> int:
    """The recorder's pid: the wrapper's child that runs the same program."""

    def find() -> list[int]:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        return [pid for pid in map(int, children) if b"record" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    assert wait_until(lambda: len(find()) == 1)
    return find()[0]


def started(folder: Path, *options: str, **popen: object) -> subprocess.Popen[bytes]:
    """An echo server behind the wrapper whose journal exists already."""
    process: subprocess.Popen[bytes] = start(folder, ECHO, *options, **popen)
    assert wait_until(lambda: bool(journal_paths(folder)))
    ping(process, b'{"ready":true}\n')
    return process


def ping(process: subprocess.Popen[bytes], line: bytes) -> None:
    assert process.stdin and process.stdout
    process.stdin.write(line)
    got = b""
    while len(got) < len(line):
        more = process.stdout.read(len(line) - len(got))
        assert more, "the answer was cut short"
        got += more
    assert got == line


def test_journals_are_for_their_user_only(tmp_path):
    run(tmp_path / "new" / "folder", ECHO, input=b"x\n")
    frames(tmp_path / "new" / "folder")
    (journal,) = journal_paths(tmp_path / "new" / "folder")
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600
    assert stat.S_IMODE(journal.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((journal.parent / "salt").stat().st_mode) == 0o600


def test_a_capture_that_cannot_be_written_is_one_line_and_traffic_goes_on(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    result = run(tmp_path, ECHO, "--capture", str(blocked / "capture.duckdb"), input=b"still\nhere\n")
    assert result.stdout == b"still\nhere\n"
    assert result.returncode == 0
    assert result.stderr.startswith(b"mcptest: not recording: ")
    assert result.stderr.count(b"\n") == 1
    assert blocked.read_text() == "not a folder"


def test_a_wrong_configuration_is_one_line_and_traffic_goes_on(tmp_path):
    (tmp_path / "mcptest.toml").write_text("[redact]\nkeyz = []\n")
    process = start(tmp_path, ECHO, cwd=tmp_path)
    ping(process, b"still here\n")
    assert b"keyz" in process.stderr.readline()
    ping(process, b"still here\n")
    process.stdin.close()
    assert process.stderr.read() == b""
    assert finish(process) == 0


def test_a_journal_folder_that_is_a_link_to_nowhere_is_not_followed(tmp_path):
    (tmp_path / "capture.journals").symlink_to(tmp_path / "elsewhere")
    result = run(tmp_path, ECHO, input=b"x\n")
    assert result.stdout == b"x\n"
    assert result.stderr.count(b"mcptest: not recording") == 1
    assert not (tmp_path / "elsewhere").exists()


def test_a_journal_deleted_while_recording_comes_back_whole(tmp_path):
    process = started(tmp_path)
    shutil.rmtree(tmp_path / "capture.journals")
    for number in range(20):
        ping(process, b'{"number":%d}\n' % number)
    assert wait_until(lambda: bool(journal_paths(tmp_path)))
    ping(process, b'{"after":true}\n')
    assert finish(process) == 0
    said = [json.loads(one.data) for one in frames(tmp_path) if one.channel == STDIN]
    assert said == [{"ready": True}, *({"number": number} for number in range(20)), {"after": True}]


def limit_files(pid: int, size: int) -> None:
    """From now on, the kernel refuses this process to let a file grow beyond this: as good as a full disk."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_disk_that_is_full_for_a_while_costs_nothing(tmp_path):
    process = started(tmp_path)
    recorder = recorder_of(process)
    limit_files(recorder, 1000)
    for number in range(500):
        ping(process, b'{"number":%d}\n' % number)
    limit_files(recorder, resource.RLIM_INFINITY)
    assert finish(process) == 0
    said = [json.loads(one.data) for one in frames(tmp_path) if one.channel == STDOUT]
    assert said == [{"ready": True}, *({"number": number} for number in range(500))]


def test_a_disk_that_stays_full_is_one_line_and_what_was_written_stays_readable(tmp_path):
    process = started(tmp_path)
    limit_files(recorder_of(process), 1500)
    for number in range(500):
        ping(process, b'{"number":%d}\n' % number)
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    reader.start()
    time.sleep(0.7)  # the recorder is patient before it complains
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    reader.join(PATIENCE)
    finish(process)
    assert errors[0].startswith(b"mcptest: recording is failing, traffic goes on: File too large")
    assert errors[0].count(b"\n") == 1
    (path,) = journal_paths(tmp_path)
    assert wait_until(lambda: not journals.is_live(path))
    for stretch in journals.read(path):
        assert not stretch.damage


def test_what_a_full_disk_does_not_take_at_the_end_is_told_and_counted(tmp_path):
    process = started(tmp_path)
    (path,) = journal_paths(tmp_path)
    limit_files(recorder_of(process), path.stat().st_size + 2000)
    line = b'{"filler":"%s"}\n' % (b"f" * 9_000)
    for _ in range(50):
        ping(process, line)
    process.stdin.close()
    assert process.stderr.read().startswith(b"mcptest: recording is failing, traffic goes on: File too large")
    assert finish(process) == 0
    recorded = frames(tmp_path)
    for channel, name in ((STDIN, "stdin"), (STDOUT, "stdout")):
        (lost,) = [gap["frames"] for gap in gaps(recorded) if gap["channel"] == name]
        assert lost + sum(one.channel == channel for one in recorded) == 51
    assert events(recorded)[-1] == {"event": "end"}


def test_a_recorder_that_makes_no_progress_costs_a_counted_gap_and_nothing_else(tmp_path):
    process = started(tmp_path)
    recorder = recorder_of(process)
    os.kill(recorder, signal.SIGSTOP)
    line = b'{"filler":"%s"}\n' % (b"f" * 10_000)
    sent = 1
    try:
        for _ in range(400):  # 8 MB both ways: more than the link holds
            ping(process, line)
            sent += 1
    finally:
        os.kill(recorder, signal.SIGCONT)
    (path,) = journal_paths(tmp_path)

    def goes_on() -> bool:
        nonlocal sent
        ping(process, line)
        sent += 1
        return any(one.channel == GAP for stretch in journals.read(path, final=False) for one in stretch.frames)

    assert wait_until(goes_on)
    ping(process, b'{"last":true}\n')
    sent += 1
    assert finish(process) == 0
    recorded = frames(tmp_path)
    lost = gaps(recorded)
    assert {gap["channel"] for gap in lost} == {"stdin", "stdout"}
    for channel, name in ((STDIN, "stdin"), (STDOUT, "stdout")):
        kept = [one.data for one in recorded if one.channel == channel]
        assert len(kept) + sum(gap["frames"] for gap in lost if gap["channel"] == name) == sent
        assert set(kept) == {b'{"ready":true}', line.rstrip(), b'{"last":true}'}


def test_a_killed_recorder_is_one_line_and_traffic_goes_on(tmp_path):
    process = started(tmp_path)
    os.kill(recorder_of(process), signal.SIGKILL)
    for number in range(100):
        ping(process, b'{"number":%d}\n' % number)
    process.stdin.close()
    assert process.stderr.read().startswith(b"mcptest: the recorder ended early")
    assert finish(process) == 0


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
@pytest.mark.parametrize("fault", ["ENOSPC", "EIO", "EDQUOT"])
def test_a_write_that_fails_once_costs_nothing(tmp_path, fault):
    process = started(tmp_path)
    injector = attach_strace(recorder_of(process), f"inject=writev:error={fault}:when=2")
    for number in range(300):
        ping(process, b'{"number":%d}\n' % number)
    assert finish(process) == 0
    injector.wait(PATIENCE)
    said = [json.loads(one.data) for one in frames(tmp_path) if one.channel == STDOUT]
    assert said == [{"ready": True}, *({"number": number} for number in range(300))]


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_a_stalled_disk_does_not_hold_up_the_traffic(tmp_path):
    process = started(tmp_path)
    injector = attach_strace(recorder_of(process), "inject=writev:delay_enter=1500000:when=1..2")
    began = time.monotonic()
    for number in range(300):
        ping(process, b'{"number":%d}\n' % number)
    assert time.monotonic() - began < 1.5
    assert finish(process) == 0
    injector.wait(PATIENCE)
    said = [json.loads(one.data) for one in frames(tmp_path) if one.channel == STDOUT]
    assert len(said) == 301


def attach_strace(pid: int, fault: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        ["strace", "-f", "-p", str(pid), "-e", "trace=writev", "-e", fault, "-o", os.devnull],
        stderr=subprocess.PIPE,
    )
    assert process.stderr
    if b"attached" not in process.stderr.readline():
        process.kill()
        process.wait()
        pytest.skip("tracing is not permitted here")
    process.stderr.close()
    return process


def kill_at_a_random_moment(folder: Path, chance: random.Random, whole_group: bool) -> None:
    process = start(folder, ECHO, start_new_session=True)
    assert wait_until(lambda: bool(journal_paths(folder)))
    moment = time.monotonic() + 0.4 + chance.random() * 0.3
    acknowledged: list[tuple[float, int]] = []
    number = 0
    while time.monotonic() < moment:
        ping(process, b'{"number":%d}\n' % number)
        acknowledged.append((time.monotonic(), number))
        number += 1
    killed = time.monotonic()
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGKILL)
    finish(process)
    # A killed relay loses nothing at all. When the recorder is killed with it, what was on its way to the disk is
    # lost: some milliseconds' worth, more where the machine is busy with other tests.
    window = 0.3 if whole_group else 0.05
    certain = [number for at, number in acknowledged if at < killed - window]
    (path,) = journal_paths(folder)
    assert wait_until(lambda: not journals.is_live(path))
    kept = {STDIN: set(), STDOUT: set()}
    for stretch in journals.read(path):
        assert all(damage.torn for damage in stretch.damage)
        for one in stretch.frames:
            if one.channel in kept:
                kept[one.channel].add(json.loads(one.data)["number"])
    assert not set(certain) - kept[STDIN]
    assert not set(certain) - kept[STDOUT]
    assert len(certain) > 10


@pytest.mark.parametrize("whole_group", [False, True])
def test_all_that_was_forwarded_before_a_kill_is_in_the_journal(tmp_path, whole_group):
    chance = random.Random(7)
    for count in range(5):
        kill_at_a_random_moment(tmp_path / str(count), chance, whole_group)


@pytest.mark.full
@pytest.mark.parametrize("whole_group", [False, True])
def test_all_that_was_forwarded_before_100_kills_is_in_the_journals(tmp_path, whole_group):
    chance = random.Random(11)
    for count in range(100):
        kill_at_a_random_moment(tmp_path / str(count), chance, whole_group)


def test_twenty_recorders_share_a_capture(tmp_path):
    processes = [start(tmp_path, ECHO, "--name", f"number {index}") for index in range(20)]
    for index, process in enumerate(processes):
        for count in range(10):
            ping(process, b'{"recorder":%d,"count":%d}\n' % (index, count))
    for process in processes:
        assert finish(process) == 0
    assert wait_until(lambda: len(journal_paths(tmp_path)) == 20)
    paths = journal_paths(tmp_path)
    seen = set()
    for path in paths:
        assert wait_until(lambda path=path: not journals.is_live(path))
        for stretch in journals.read(path):
            for one in stretch.frames:
                if one.channel == STDOUT:
                    body = json.loads(one.data)
                    seen.add((body["recorder"], body["count"]))
    assert len(seen) == 200


def test_a_request_stands_before_its_answer(tmp_path):
    process = started(tmp_path)
    for number in range(2000):
        ping(process, b'{"number":%d}\n' % number)
    assert finish(process) == 0
    order = [(one.channel, one.data) for one in frames(tmp_path) if one.channel in (STDIN, STDOUT)]
    assert [channel for channel, _ in order] == [STDIN, STDOUT] * 2001


def test_the_session_is_described_by_its_events(tmp_path):
    run(tmp_path, ["sh", "-c", "cat; echo done >&2; exit 4"], "--name", "described", input=b"one\n")
    recorded = frames(tmp_path)
    header = json.loads(recorded[0].data)
    assert header["name"] == "described"
    assert header["transport"] == "stdio"
    assert header["target"] == {"argv": ["sh", "-c", "cat; echo done >&2; exit 4"]}
    told = events(recorded)
    assert told[0]["event"] == "spawn"
    assert {"event": "eof", "channel": "stdin", "by": "sender"} in told
    assert told[-2:] == [{"event": "exit", "code": 4}, {"event": "end"}]
    assert stream(recorded, "stderr") == b"done\n"


def test_environment_variables_are_not_recorded(tmp_path):
    env = environment(tmp_path, UNLIKELY_NAME="unlikely value")
    run(tmp_path, ECHO, input=b"x\n", env=env)
    frames(tmp_path)
    (path,) = journal_paths(tmp_path)
    assert b"unlikely value" not in path.read_bytes()
