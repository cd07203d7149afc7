"""What a real terminal is sent."""

from __future__ import annotations

import os
import pty
import subprocess

import pytest

from mcptest.capture import Place
from tests.helpers.cli import PATIENCE, PROGRAM, environment
from tests.helpers.journals import Talk

HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x9b31m\r\u202e\u200b\x7f"


def on_terminal(place: Place, *arguments: str, **more: str) -> str:
    """Everything that a command writes to a terminal, without the carriage returns that the terminal adds."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        env=environment(place.database, TERM="xterm", COLUMNS="90", LINES="40", **more),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                data = os.read(ours, 65536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not data:
                break
            seen += data
        process.wait(PATIENCE)
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


@pytest.fixture
def hostile(place: Place) -> Place:
    talk = Talk(name=HOSTILE, argv=(HOSTILE,)).request(1, "tools/call", name=HOSTILE, x=HOSTILE).error(1, 1, HOSTILE)
    talk.stderr(HOSTILE).server(HOSTILE).event("end").write(place)
    return place


@pytest.mark.parametrize(
    "command",
    [
        ["sessions"],
        ["show", "last", "--full"],
        ["show", "last", "--format", "json"],
        ["sql", "from messages", "--format", "csv"],
        ["sql", "select raw, line from messages, stderr", "--format", "json"],
        ["show", HOSTILE],
    ],
    ids=lambda command: " ".join(command).encode("ascii", "replace").decode(),
)
def test_no_captured_control_character_reaches_the_terminal(hostile: Place, command: list[str]) -> None:
    seen = on_terminal(hostile, *command, NO_COLOR="1")
    assert seen
    assert seen.replace("\n", "").isprintable()


def test_colours_are_used_and_can_be_refused(hostile: Place) -> None:
    assert "\x1b[31m" in on_terminal(hostile, "show", "last")
    assert "\x1b" not in on_terminal(hostile, "show", "last", NO_COLOR="1")


def test_a_table_is_squeezed_to_the_terminal(hostile: Place) -> None:
    lines = on_terminal(hostile, "sql", "select seq, raw from messages").splitlines()
    assert max(map(len, lines)) == 90


def test_a_query_is_not_waited_for_on_a_terminal(place: Place) -> None:
    Talk().write(place)
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*PROGRAM, "sql"],
        env=environment(place.database),
        stdin=theirs,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 2
    assert b"no query" in done.stderr
