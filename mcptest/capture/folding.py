"""Fold journals into a capture: each record exactly once, whoever does it and whenever it is interrupted.

A journal's rows and the offset up to which it was read go into DuckDB in one transaction, so a process that is killed
leaves either both or neither. A journal that is still being written is folded as far as it is whole, and goes on from
there the next time. What cannot be folded now, because somebody holds the file or it cannot be written, is derived by
the same code into tables in memory for as long as a capture is open (`stand_in`).
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mcptest.capture import database, locks
from mcptest.capture.database import DATA
from mcptest.capture.deriving import Derivation, Work, find_work, sizes
from mcptest.capture.place import Place
from mcptest.errors import CaptureError

if TYPE_CHECKING:
    import duckdb

_TURN = 1.0  # seconds after which others, if any wait, get a chance at the capture,
_PAUSE = 0.03  # and how long; longer than they wait between two tries
# Each commit has its price in time and, for a while, in free space within the file: alone, we do it when what is not
# committed yet, which is in memory, becomes much.
_LARGEST_TURN = 500_000  # frames


class Folded(NamedTuple):
    """What a fold did. Problems are journals that had to be left out, one line each."""

    sessions: int
    frames: int
    problems: tuple[str, ...]


def fold(place: Place, *, wait: float = 30.0) -> Folded:
    """Fold everything that the journals hold by now; CaptureError if another program keeps the capture for itself."""
    try:
        return fold_into(place.database, place.journals, place.lock, wait, gate=place.journals)
    except locks.Busy as busy:
        raise CaptureError(f"{place.database} is in use by {busy}: try again when it is done") from busy


def fold_into(target: Path, folder: Path, lock: Path, wait: float, *, gate: Path | None) -> Folded:
    """Fold a folder of journals into a database, in turns; Busy if it cannot be had in time. Without a gate for a
    database that nobody else knows of."""
    limits = sizes(folder)
    tally = _Tally()
    finished = not limits
    while not finished:
        with locks.exclusive(lock, wait, gate), database.writing(target, wait) as connection, _undisturbed():
            finished = _take_turn(connection, limits, tally, gate)
            while not finished and not _is_wanted(gate):
                finished = _take_turn(connection, limits, tally, gate)
        if not finished:
            time.sleep(_PAUSE)
    return tally.result()


def _take_turn(
    connection: duckdb.DuckDBPyConnection, limits: dict[Path, int], tally: _Tally, gate: Path | None
) -> bool:
    """Fold until all is done (True) or others should have a turn, in one transaction."""
    began = time.monotonic()
    done: list[tuple[str, int]] = []
    folded = 0
    finished = True
    connection.execute("BEGIN")
    for work in find_work(connection, limits, tally.problems):
        try:
            derivation = Derivation(connection, DATA, work)
            for frames in derivation.steps():
                done.append((work.session, frames))
                folded += frames
                finished = folded < _LARGEST_TURN and not _is_over(began, gate)
                if not finished:
                    break
            derivation.save()
        except CaptureError as error:
            # Without this journal, and all over: some of its rows are in the transaction already.
            connection.execute("ROLLBACK")
            tally.problems[work.path.name] = str(error)
            del limits[work.path]
            return False
        if not finished:
            break
    connection.execute("COMMIT")
    tally.add(done)
    return finished


def _is_over(began: float, gate: Path | None) -> bool:
    return time.monotonic() - began >= _TURN and _is_wanted(gate)


def _is_wanted(gate: Path | None) -> bool:
    return gate is not None and locks.is_wanted(gate)


def stand_in(connection: duckdb.DuckDBPyConnection, into: str, work: Iterable[Work], problems: dict[str, str]) -> None:
    """Derive what the capture does not hold yet into tables of the same shape."""
    with _undisturbed():
        for each in work:
            connection.execute("BEGIN")
            try:
                derivation = Derivation(connection, into, each)
                for _ in derivation.steps():
                    pass
                derivation.save()
            except CaptureError as error:
                connection.execute("ROLLBACK")
                problems[each.path.name] = str(error)
            else:
                connection.execute("COMMIT")


class _Tally:
    def __init__(self) -> None:
        self.problems: dict[str, str] = {}
        self._sessions: set[str] = set()
        self._frames = 0

    def add(self, done: list[tuple[str, int]]) -> None:
        self._sessions |= {session for session, _ in done}
        self._frames += sum(frames for _, frames in done)

    def result(self) -> Folded:
        return Folded(len(self._sessions), self._frames, tuple(self.problems.values()))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Without the cyclic collector: millions of rows, none of them in a cycle, would be looked at again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
