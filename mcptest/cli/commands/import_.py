"""Bring sessions that somebody exported into the capture.

The format is told from the content. A session arrives whole or not at all, and never replaces one that is there:
importing the same one again changes nothing, and another one with the same id is refused.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from mcptest.capture import incoming, locate
from mcptest.cli.options import CaptureOption
from mcptest.cli.terminal import escape
from mcptest.errors import UsageError


def run(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="What was exported; - is standard input.")],
    capture: CaptureOption = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Give the session this name instead of its own.")
    ] = None,
) -> None:
    if name is not None and len(files) > 1:
        raise UsageError("--name names one session: import the files one by one")
    place = locate(capture)
    for path in files:
        with _opened(path) as file:
            imported = incoming.bring_in(place, file, path if path != "-" else "standard input", name=name)
        what = "is already there" if imported.known else "imported"
        print(escape(f"{imported.session} {what}: {imported.frames} frames from {path}"))


@contextlib.contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path == "-":
        yield sys.stdin.buffer
        return
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    with os.fdopen(descriptor, "rb") as file:
        yield file
