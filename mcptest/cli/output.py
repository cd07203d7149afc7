"""Where a command's result goes: the terminal, a pipe, or a file that was not there before.

A file appears under its name only when it is complete, with what it holds readable by this user only. It never
replaces another without `--force`, and never through a link or onto a device, whatever was asked.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mcptest.cli.terminal import is_terminal
from mcptest.errors import McptestError, UsageError

STDOUT = "-"


class Sink:
    """Bytes on their way out; `terminal` says whether a person's terminal is what reads them."""

    def __init__(self, file: BinaryIO, *, terminal: bool) -> None:
        self.file = file
        self.terminal = terminal

    def write(self, data: str) -> None:
        self.file.write(data.encode("utf-8", "backslashreplace"))


@contextlib.contextmanager
def opened(path: str | None, *, force: bool = False) -> Iterator[Sink]:
    """Standard output for None or `-`, else a new file at that path, which is there if and only if all went well."""
    if path is None or path == STDOUT:
        with stdout() as sink:
            yield sink
        return
    with new_file(Path(path), force=force) as aside:
        try:
            descriptor = os.open(aside, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
                yield Sink(file, terminal=False)
        except OSError as error:
            raise _write_error(path, error) from error


@contextlib.contextmanager
def stdout() -> Iterator[Sink]:
    buffer = getattr(sys.stdout, "buffer", None)
    sys.stdout.flush()
    if buffer is None:  # standard output was replaced by a stream of text
        collected = io.BytesIO()
        yield Sink(collected, terminal=False)
        sys.stdout.write(collected.getvalue().decode("utf-8"))
        return
    yield Sink(buffer, terminal=is_terminal(sys.stdout))
    buffer.flush()


@contextlib.contextmanager
def new_file(path: Path, *, force: bool = False) -> Iterator[Path]:
    """An empty private file beside the path to write into; moved to the path at the end, removed on any error."""
    _refuse_unfit(path, force=force)
    aside = path.with_name(f".{path.name[:64]}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    try:
        yield aside
        try:
            _put_in_place(aside, path, force=force)
        except OSError as error:
            raise _write_error(str(path), error) from error
    finally:
        aside.unlink(missing_ok=True)


def _refuse_unfit(path: Path, *, force: bool) -> None:
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise UsageError(f"cannot write {path}: there is no folder {path.parent}") from None
        return
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    if stat.S_ISLNK(mode):
        raise UsageError(f"{path} is a symbolic link, which is never written through: name the file itself")
    if stat.S_ISDIR(mode):
        raise UsageError(f"{path} is a folder: name a file in it")
    if not stat.S_ISREG(mode):
        raise UsageError(f"{path} is not a regular file: name a new one, or - for standard output")
    if not force:
        raise UsageError(f"{path} exists and is left as it is: choose another name, or overwrite it with --force")


def _put_in_place(aside: Path, path: Path, *, force: bool) -> None:
    descriptor = os.open(aside, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if not force:
        try:
            os.link(aside, path, follow_symlinks=False)  # unlike rename, fails if somebody was faster
            return
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
                raise
    _refuse_unfit(path, force=force)
    os.rename(aside, path)


def _write_error(path: str, error: OSError) -> McptestError:
    if isinstance(error, FileExistsError):
        return UsageError(f"{path} exists and is left as it is: choose another name, or overwrite it with --force")
    return McptestError(f"cannot write {path}: {error.strerror}")
