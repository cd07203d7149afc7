"""The lock that mcptest's own processes share on a capture: one folds, or many read.

DuckDB itself refuses to open a file that another process writes, at once and without waiting; this lock is what makes
our processes wait for each other instead. It is held through an open descriptor, so it ends with its process.

Readers that come and go all the time would keep a folder out for ever. So there is a gate before the lock, the folder
of journals itself: who wants to fold closes it, new readers wait there, and those inside come to an end. It is opened
again after a moment in any case, since a reader inside may take its time.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

_POLL = 0.005  # flock cannot wait with a limit; folding lets go for longer than this between its turns
_GATE_CLOSED = 0.5  # for so long at once,
_GATE_OPEN = 0.5  # and then open for so long at least
_UNWRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT)


class Busy(Exception):  # noqa: N818  (reads better where it is caught)
    """Another process, named here, holds the capture, and the time to wait for it is over."""


@contextmanager
def exclusive(path: Path, wait: float, gate: Path | None = None) -> Iterator[None]:
    deadline = time.monotonic() + wait
    with _opened(path, os.O_RDWR | os.O_CREAT) as lock:
        while True:
            with ExitStack() as passing:
                if gate is not None and gate.is_dir():
                    closed = passing.enter_context(_opened(gate, os.O_RDONLY))
                    _acquire(closed, fcntl.LOCK_EX, deadline)
                pause = time.monotonic() + _GATE_CLOSED
                try:
                    _acquire(lock, fcntl.LOCK_EX, min(deadline, pause))
                    break
                except Busy:
                    if time.monotonic() >= deadline:
                        raise
            time.sleep(max(min(_GATE_OPEN, deadline - time.monotonic()), 0))
        yield


def is_wanted(gate: Path) -> bool:
    """Does anybody wait at the gate? For whoever holds the lock exclusively and could let go of it."""
    with _opened(gate, os.O_RDONLY) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@contextmanager
def shared(path: Path, wait: float, gate: Path | None = None) -> Iterator[None]:
    """On a file system where nobody can fold, there is no lock and no need for one."""
    deadline = time.monotonic() + wait
    with ExitStack() as held:
        try:
            lock = held.enter_context(_opened(path, os.O_RDWR | os.O_CREAT))
        except OSError as error:
            if error.errno not in _UNWRITABLE:
                raise
        else:
            with ExitStack() as passing:
                if gate is not None and gate.is_dir():
                    passed = passing.enter_context(_opened(gate, os.O_RDONLY))
                    _acquire(passed, fcntl.LOCK_SH, deadline)
                _acquire(lock, fcntl.LOCK_SH, deadline)
        yield


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, kind: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise Busy("another mcptest") from None
            time.sleep(_POLL)
