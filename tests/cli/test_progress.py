from __future__ import annotations

import os
import pty
import subprocess
import sys

from tests.helpers.cli import PATIENCE

WORK = "from mcptest.cli.progress import working\nwith working('folding [bold]'):\n    pass\n"

COUNT = (
    "from mcptest.cli.progress import counting\n"
    "with counting('probing') as begin:\n"
    "    step = begin(2)\n"
    "    step()\n"
    "    step()\n"
)


def test_nothing_is_drawn_where_no_person_watches() -> None:
    for code in (WORK, COUNT):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=PATIENCE, check=True)
        assert (done.stdout, done.stderr) == (b"", b"")


def test_a_terminal_sees_that_something_goes_on() -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", WORK],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        timeout=PATIENCE,
        check=True,
    )
    os.close(theirs)
    assert b"folding [bold]" in os.read(ours, 65536)
    os.close(ours)
    assert done.stdout == b""


def test_a_terminal_sees_how_far_it_has_come() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    subprocess.run([sys.executable, "-c", COUNT], stderr=theirs, env=environment, timeout=PATIENCE, check=True)
    os.close(theirs)
    assert b"2/2" in os.read(ours, 65536)
    os.close(ours)
