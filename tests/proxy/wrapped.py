"""A server run through the real `mcptest record`, and what was recorded of it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcptest.capture import journals
from mcptest.wire import Frame
from mcptest.wire.frame import CHANNEL_CODES, PARTIAL

MCPTEST = [sys.executable, "-m", "mcptest"]
PATIENCE = 60.0


def python(source: str) -> list[str]:
    """The command of a small server written in place."""
    return [sys.executable, "-c", source]


ECHO = python("import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(line); sys.stdout.buffer.flush()")


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "MCPTEST_CAPTURE": str(folder / "capture.duckdb"), **more}


def start(folder: Path, command: list[str], *options: str, prefix: list[str] | None = None, **popen: Any) -> Any:
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    env = popen.pop("env", None) or environment(folder)
    return subprocess.Popen(
        [*(prefix or []), *MCPTEST, "record", *options, "--", *command],
        env=env,
        bufsize=0,
        **{**streams, **popen},
    )


def run(folder: Path, command: list[str], *options: str, input: bytes = b"", **popen: Any) -> Any:
    process = start(folder, command, *options, **popen)
    out, err = process.communicate(input, timeout=PATIENCE)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def finish(process: Any) -> int:
    """Close what is still open and wait."""
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None and not pipe.closed:
            pipe.close()
    code: int = process.wait(PATIENCE)
    return code


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def journal_paths(folder: Path) -> list[Path]:
    return journals.find(folder / "capture.journals")


def frames(folder: Path) -> list[Frame]:
    """All frames of the only session in the capture, once its recorder has finished."""
    assert wait_until(lambda: bool(journal_paths(folder))), "the recorder made no journal"
    (path,) = journal_paths(folder)
    assert wait_until(lambda: not journals.is_live(path)), "the recorder did not end"
    found: list[Frame] = []
    for stretch in journals.read(path):
        assert not stretch.damage
        found += stretch.frames
    assert [frame.seq for frame in found] == list(range(len(found)))
    return found


def stream(recorded: list[Frame], channel: str) -> bytes:
    """The bytes of one stream as they crossed the wire."""
    code = CHANNEL_CODES[channel]
    parts = []
    for frame in recorded:
        if frame.channel == code:
            parts.append(frame.data)
            if not frame.flags & PARTIAL and not frame.flags & 4:
                parts.append(b"\n")
    return b"".join(parts)


def events(recorded: list[Frame]) -> list[dict[str, Any]]:
    import json

    return [json.loads(frame.data) for frame in recorded if frame.channel == CHANNEL_CODES["event"]]


def gaps(recorded: list[Frame]) -> list[dict[str, Any]]:
    import json

    return [json.loads(frame.data) for frame in recorded if frame.channel == CHANNEL_CODES["gap"]]


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
