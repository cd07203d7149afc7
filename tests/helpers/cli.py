"""Run mcptest as a user does: the real program in a process of its own, or in this one where that is enough."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mcptest.cli import main

PROGRAM = [sys.executable, "-m", "mcptest"]
PATIENCE = 60.0  # seconds; a command that takes longer hangs


class Outcome(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on stderr, which is all there is of it."""
        assert self.err.startswith("mcptest: ")
        assert self.err.count("\n") == 1
        return self.err.removeprefix("mcptest: ").rstrip("\n")


def environment(capture: Path | None = None, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MCPTEST_", "NO_COLOR"))}
    if capture is not None:
        kept["MCPTEST_CAPTURE"] = str(capture)
    return {**kept, **more}


def start(*arguments: str, capture: Path | None = None, **more: Any) -> Outcome:
    """In a process of its own."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        env=environment(capture, **more.pop("env", {})),
        stdout=more.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
        **({"stdin": subprocess.DEVNULL} if "input" not in more else {}),
        **more,
    )
    return Outcome(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())


class Cli:
    """In this process, over one capture."""

    def __init__(self, capture: Path, captured: pytest.CaptureFixture[str]) -> None:
        self.capture = capture
        self._captured = captured

    def __call__(self, *arguments: str) -> Outcome:
        self._captured.readouterr()
        code = main(arguments)
        return Outcome(code, *self._captured.readouterr())
