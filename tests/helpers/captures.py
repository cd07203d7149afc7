"""Captures for tests: a recorder that stays alive, what the tables hold, and other processes at work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from mcptest.capture import Place, journals, make_private_folder
from mcptest.capture.schema import TABLES
from mcptest.wire import Frame, journal


class Recorder:
    """Writes a journal as a recorder does, and holds its lock until it is closed (or dies)."""

    def __init__(self, place: Place, frames: Iterable[Frame], *, seed: int = 7) -> None:
        frames = list(frames)
        make_private_folder(place.journals)
        self.seed = seed
        session = json.loads(frames[0].data)["session"]
        self.path = journals.path_for(place.journals, session, frames[0].at)
        self._descriptor = journals.create(self.path)
        os.write(self._descriptor, journal.preamble(seed))
        self.add(frames)

    def add(self, frames: Iterable[Frame]) -> None:
        self.write(b"".join(part for frame in frames for part in journal.encode(frame, self.seed)))

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]

    def close(self) -> None:
        os.close(self._descriptor)


def tables(place: Place) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that a capture's file holds, in an order of its own; journals without their derivation's state."""
    held = {}
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{place.database}' AS it (READ_ONLY)")
        for table, columns in TABLES.items():
            names = ", ".join(f'"{column}"' for column in columns if column != "derivation")
            held[table] = sorted(connection.execute(f"SELECT {names} FROM it.data.{table}").fetchall(), key=repr)
    return held


@contextmanager
def process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Python code in a process of its own; it says `ready` when it is, and ends when its input does."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as child:
        assert child.stdout
        assert child.stdin
        try:
            assert child.stdout.readline() == "ready\n"
            yield child
        finally:
            child.stdin.close()
            child.stdout.read()
            assert child.wait(30) == 0
