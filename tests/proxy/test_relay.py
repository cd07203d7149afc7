"""What a client can observe is the same as without mcptest."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcptest.proxy import relay
from mcptest.wire import frame
from mcptest.wire.frame import MESSAGE_CHANNELS, PARTIAL
from tests.proxy.wrapped import (
    ECHO,
    PATIENCE,
    environment,
    events,
    finish,
    frames,
    is_alive,
    journal_paths,
    python,
    run,
    start,
    stream,
    wait_until,
)

STRANGE = [
    b"",
    b"\r",
    b"windows\r",
    b"lone \r return",
    "separators \u2028\u2029\u0085".encode(),
    b"\x0b\x0c",
    b"\xff\xfe invalid",
    b"nul \x00 byte",
    b"\xef\xbb\xbfbom",
    b'{"jsonrpc":"2.0"}',
    b"not json at all",
]


def test_channel_numbers_are_those_of_frames():
    assert (relay.STDIN, relay.STDOUT, relay.STDERR, relay.EVENT) == (
        frame.STDIN,
        frame.STDOUT,
        frame.STDERR,
        frame.EVENT,
    )


def test_strange_lines_pass_unchanged_and_one_line_is_one_frame(tmp_path):
    sent = b"\n".join(STRANGE) + b"\n"
    result = run(tmp_path, ECHO, "--no-redact", input=sent)
    assert result.stdout == sent
    recorded = frames(tmp_path)
    for channel in (frame.STDIN, frame.STDOUT):
        assert [one.data for one in recorded if one.channel == channel] == STRANGE


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=300), max_size=20))
def test_bytes_out_are_bytes_in_however_they_are_cut(tmp_path_factory, chunks):
    folder = tmp_path_factory.mktemp("capture")
    process = start(folder, ECHO, "--no-redact")
    answered = bytearray()
    reader = threading.Thread(target=lambda: answered.extend(process.stdout.read()))
    reader.start()
    for chunk in chunks:
        process.stdin.write(chunk)
    process.stdin.close()
    reader.join(PATIENCE)
    assert finish(process) == 0
    assert bytes(answered) == b"".join(chunks)
    recorded = frames(folder)
    assert stream(recorded, "stdin") == stream(recorded, "stdout") == b"".join(chunks)


@pytest.mark.parametrize("size", [65535, 65536, 65537, 3 << 20])
def test_long_lines_pass_both_ways_and_on_stderr(tmp_path, size):
    server = python(
        "import sys\n"
        "line = sys.stdin.buffer.readline()\n"
        "sys.stderr.buffer.write(line); sys.stderr.buffer.flush()\n"
        "sys.stdout.buffer.write(line); sys.stdout.buffer.flush()"
    )
    line = b"x" * (size - 1) + b"\n"
    result = run(tmp_path, server, input=line)
    assert result.stdout == line
    assert result.stderr == line
    recorded = frames(tmp_path)
    assert stream(recorded, "stdin") == stream(recorded, "stdout") == stream(recorded, "stderr") == line


@pytest.mark.full
def test_a_line_of_64_mib_passes_both_ways(tmp_path):
    line = b"y" * ((64 << 20) - 1) + b"\n"
    result = run(tmp_path, ECHO, input=line)
    assert result.stdout == line
    recorded = frames(tmp_path)
    assert [len(one.data) for one in recorded if one.channel in MESSAGE_CHANNELS] == [len(line) - 1] * 2


def test_a_last_line_without_newline_is_kept_as_partial(tmp_path):
    result = run(tmp_path, ECHO, input=b"whole\nrest")
    assert result.stdout == b"whole\nrest"
    recorded = frames(tmp_path)
    assert [(one.data, one.flags) for one in recorded if one.channel == frame.STDOUT] == [
        (b"whole", 0),
        (b"rest", PARTIAL),
    ]


def test_a_stderr_flood_without_newline_does_not_block_answers(tmp_path):
    server = python(
        "import sys\n"
        "for _ in range(20 * 16): sys.stderr.buffer.write(b'e' * 65536)\n"
        "sys.stderr.flush()\n"
        "sys.stdout.write(sys.stdin.readline())"
    )
    process = start(tmp_path, server, stderr=subprocess.DEVNULL)
    out, _ = process.communicate(b"hello\n", timeout=PATIENCE)
    assert out == b"hello\n"
    assert stream(frames(tmp_path), "stderr") == b"e" * (20 << 20)


def test_answers_in_flight_arrive_after_the_client_closed_its_side(tmp_path):
    server = python(
        "import sys, time\nlines = sys.stdin.read().splitlines()\ntime.sleep(0.2)\nprint(*lines, sep='\\n', flush=True)"
    )
    assert run(tmp_path, server, input=b"a\nb\n").stdout == b"a\nb\n"


def test_the_server_closing_stdout_reaches_the_client_while_it_lives_on(tmp_path):
    server = python("import os, sys\nos.close(1)\nsys.stdin.read()")
    process = start(tmp_path, server)
    assert process.stdout.read() == b""
    assert process.poll() is None
    assert finish(process) == 0


def test_a_client_that_stops_reading_ends_the_session_within_two_seconds(tmp_path):
    process = start(tmp_path, python("import time, signal\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(600)"))
    assert wait_until(lambda: bool(journal_paths(tmp_path)))
    began = time.monotonic()
    process.stdout.close()
    process.wait(PATIENCE)
    assert time.monotonic() - began < 4  # two seconds, and the noise of a busy machine
    finish(process)


def test_a_client_that_does_not_read_blocks_the_server(tmp_path):
    progress = tmp_path / "progress"
    server = python(
        "import os\n"
        "for count in range(200):\n"
        " os.write(1, b'z' * 65535 + b'\\n')\n"
        f" open({str(progress)!r}, 'w').write(str(count))"
    )
    process = start(tmp_path, server)
    assert wait_until(lambda: progress.exists())

    def stands_still():
        before = progress.read_text()
        time.sleep(0.3)
        return bool(before) and before == progress.read_text()

    assert wait_until(stands_still)
    assert int(progress.read_text()) < 50
    out, _ = process.communicate(timeout=PATIENCE)
    assert len(out) == 200 << 16


def test_both_directions_flooding_do_not_deadlock_in_bounded_memory(tmp_path):
    size = 30 << 20
    block = (b"f" * 1023 + b"\n") * 1024
    process = start(tmp_path, ECHO, stderr=subprocess.DEVNULL)
    got = 0

    def send():
        for _ in range(size // len(block)):
            process.stdin.write(block)
        process.stdin.close()

    sender = threading.Thread(target=send)
    sender.start()
    peak = 0
    while data := process.stdout.read(1 << 20):
        got += len(data)
        status = Path(f"/proc/{process.pid}/status").read_text()
        peak = max(peak, int(status.split("VmRSS:")[1].split()[0]))
    sender.join(PATIENCE)
    assert process.wait(PATIENCE) == 0
    process.stdout.close()
    assert got == size
    assert peak < 40_000  # KiB
    assert len(stream(frames(tmp_path), "stdout")) == size


@pytest.mark.parametrize(("ending", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -15 $$", 143)])
def test_the_exit_code_is_the_servers(tmp_path, ending, code):
    assert run(tmp_path, ["sh", "-c", ending]).returncode == code
    (exit_event,) = [event for event in events(frames(tmp_path)) if event["event"] == "exit"]
    assert exit_event == {"event": "exit", **({"code": code} if code < 128 else {"signal": code - 128})}


COUNT_SIGNALS = (
    "import signal, sys, time\n"
    "seen = []\n"
    "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, lambda n, _: seen.append(n))\n"
    "print('ready', flush=True)\n"
    "end = time.monotonic() + 30\n"
    "while not seen and time.monotonic() < end: time.sleep(0.01)\n"
    "time.sleep(0.4)\n"
    "print(*seen, flush=True)\n"
)


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("whole_group", [False, True])
def test_a_signal_reaches_the_server_once(tmp_path, signum, whole_group):
    if signal.getsignal(signum) == signal.SIG_IGN:
        pytest.skip("these tests run with the signal ignored, which the server inherits")
    process = start(tmp_path, python(COUNT_SIGNALS), start_new_session=True)
    assert process.stdout.readline() == b"ready\n"
    assert wait_until(lambda: bool(journal_paths(tmp_path)))
    (os.killpg if whole_group else os.kill)(process.pid, signum)
    assert process.stdout.readline() == b"%d\n" % signum
    assert finish(process) == 0
    (event,) = [event for event in events(frames(tmp_path)) if event["event"] == "signal"]
    assert event == {"event": "signal", "signal": signum, "forwarded": not whole_group}


@pytest.mark.parametrize("command", ["/no/such/command", "no-such-command-on-path", "/etc/passwd", ""])
def test_a_command_that_cannot_start_is_one_line_and_exit_3(tmp_path, command):
    result = run(tmp_path, [command])
    assert result.returncode == 3
    assert result.stdout == b""
    assert result.stderr.startswith(f"mcptest: cannot start '{command}': ".encode())
    assert result.stderr.count(b"\n") == 1


def test_environment_directory_group_and_streams_are_as_without_the_wrapper(tmp_path):
    look = python(
        "import json, os, signal\n"
        "print(json.dumps([dict(os.environ), os.getcwd(), os.getpgrp(), os.getsid(0),"
        " sorted(map(int, os.listdir('/proc/self/fd')))[:-1],"
        " sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),"
        " next(l for l in open('/proc/self/status') if l.startswith('SigIgn'))]))"
    )
    where = tmp_path / "where"
    where.mkdir()
    env = {**environment(tmp_path), "LC_ALL": "C", "ODD": "\udcff surrogate"}
    env.pop("LC_CTYPE", None)
    direct = json.loads(subprocess.run(look, env=env, cwd=where, capture_output=True, check=True).stdout)
    wrapped = json.loads(run(tmp_path, look, env=env, cwd=where).stdout)
    assert wrapped == direct


def test_the_c_locale_adds_nothing_to_the_servers_environment(tmp_path):
    env = {"PATH": os.environ["PATH"], "MCPTEST_CAPTURE": str(tmp_path / "capture.duckdb"), "LC_ALL": ""}
    look = ["env"]
    direct = subprocess.run(look, env=env, capture_output=True, check=True).stdout
    assert sorted(run(tmp_path, look, env=env).stdout.split()) == sorted(direct.split())


STUBBORN = (
    "import os, signal, subprocess, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "helper = 'import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)'\n"
    "child = subprocess.Popen([sys.executable, '-c', helper])\n"
    "print(os.getpid(), child.pid, flush=True)\n"
    "time.sleep(600)\n"
)


def test_nothing_survives_a_killed_wrapper(tmp_path):
    process = start(tmp_path, ["sh", "-c", f"{sys.executable} -c {shlex.quote(STUBBORN)}; true"])
    pids = [int(word) for word in process.stdout.readline().split()]
    assert len(pids) == 2
    assert wait_until(lambda: bool(journal_paths(tmp_path)))
    time.sleep(1.2)  # the watch looks once a second
    process.kill()
    finish(process)
    assert wait_until(lambda: not any(map(is_alive, pids)), 5)
    assert {"event": "killed"} in events(frames(tmp_path))


def test_nothing_survives_a_client_that_vanishes(tmp_path):
    process = start(tmp_path, ["sh", "-c", f"{sys.executable} -c {shlex.quote(STUBBORN)}; true"])
    pids = [int(word) for word in process.stdout.readline().split()]
    finish(process)
    assert wait_until(lambda: not any(map(is_alive, pids)), 5)


def test_a_helper_left_behind_at_once_does_not_survive_either(tmp_path):
    result = run(tmp_path, ["sh", "-c", "cat >/dev/null; sleep 600 & echo $!"])
    assert result.returncode == 0
    assert not is_alive(int(result.stdout))


def test_a_helper_that_outlives_the_server_may_go_on_talking_until_the_client_leaves(tmp_path):
    server = python(
        "import subprocess, sys\n"
        "helper = 'import time\\nfor n in range(600): print(n, flush=True); time.sleep(0.1)'\n"
        "print(subprocess.Popen([sys.executable, '-c', helper]).pid, flush=True)"
    )
    process = start(tmp_path, server)
    helper = int(process.stdout.readline())
    assert [process.stdout.readline() for _ in range(3)] == [b"0\n", b"1\n", b"2\n"]
    assert process.poll() is None
    process.stdin.close()
    assert wait_until(lambda: not is_alive(helper), 5)
    assert finish(process) == 0


def test_the_wrapper_ends_with_the_server_even_if_the_client_stays(tmp_path):
    process = start(tmp_path, python("import sys\nsys.stdin.readline()\nsys.exit(5)"))
    process.stdin.write(b"go\n")
    assert process.wait(PATIENCE) == 5
    finish(process)


def test_a_server_that_closed_its_input_makes_the_clients_write_fail(tmp_path):
    process = start(tmp_path, python("import os, time\nos.close(0)\nprint('closed', flush=True)\ntime.sleep(60)"))
    assert process.stdout.readline() == b"closed\n"

    def refused():
        try:
            process.stdin.write(b"anybody there?\n")
        except BrokenPipeError:
            return True
        return False

    assert wait_until(refused, 5)
    process.kill()
    finish(process)


def test_recording_a_recorder_works(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    command = [sys.executable, "-m", "mcptest", "record", "--capture", str(inner / "capture.duckdb"), "--", *ECHO]
    assert run(tmp_path, command, input=b"deep\n").stdout == b"deep\n"
    assert stream(frames(tmp_path), "stdout") == stream(frames(inner), "stdout") == b"deep\n"
