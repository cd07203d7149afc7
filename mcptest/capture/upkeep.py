"""Looking after a capture: make its database anew from the journals, and let go of what is old."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mcptest.capture import database, folding, journals, locks
from mcptest.capture.database import DATA
from mcptest.capture.deriving import LIVE
from mcptest.capture.place import Place
from mcptest.capture.schema import OF_SESSIONS
from mcptest.errors import CaptureError
from mcptest.wire import journal as codec

if TYPE_CHECKING:
    import duckdb

_WAIT = 30.0  # for other processes to finish with the capture


class Pruned(NamedTuple):
    """The sessions that are gone, and how many bytes of journals with them."""

    sessions: tuple[str, ...]
    bytes: int


def rebuild(place: Place, *, forget: bool = False) -> folding.Folded:
    """A new database from the journals, built aside and put into place at once; the old one serves until then.

    Sessions whose journals are gone would be lost: that needs `forget`. A file that is no capture is not replaced; one
    that cannot be opened at all is kept beside the new one.
    """
    if not journals.find(place.journals):
        raise CaptureError(f"there are no journals in {place.journals} to rebuild {place.database} from")
    damaged = _look_at(place, forget)
    with _aside(place) as (aside, lock):
        done = folding.fold_into(aside, place.journals, lock, _WAIT, gate=None)
        with _alone(place):
            # Without the gate: who waits there for the lock that we hold keeps it from us.
            rest = folding.fold_into(aside, place.journals, lock, _WAIT, gate=None)
            if damaged:
                stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
                os.rename(place.database, place.database.with_name(f"{place.database.name}.damaged-{stamp}"))
            _log_of(place.database).unlink(missing_ok=True)  # before: it must not be applied to the new file
            os.rename(aside, place.database)
    return folding.Folded(done.sessions, done.frames + rest.frames, rest.problems)


def _look_at(place: Place, forget: bool) -> bool:
    """May the database be replaced? True if it cannot be read and is to be kept."""
    if not place.database.exists():
        return False
    try:
        with locks.shared(place.lock, _WAIT, place.journals), database.reading(place.database, _WAIT) as connection:
            rows = connection.execute(f"SELECT session, journal FROM {DATA}.sessions").fetchall()
    except (database.Unreadable, database.Outdated) as error:
        return isinstance(error, database.Unreadable)
    except locks.Busy as busy:
        raise _in_use(place, busy) from busy
    gone = [session for session, journal in rows if not (place.journals / Path(str(journal)).name).exists()]
    if gone and not forget:
        raise CaptureError(
            f"{len(gone)} sessions of {place.database} have no journal any more and would be lost, {gone[0]} among them"
        )
    return False


@contextmanager
def _aside(place: Place) -> Iterator[tuple[Path, Path]]:
    """A database file to build in, and its lock. Those that a killed process left behind are removed."""
    prefix = f".{place.database.name}.rebuild-"
    for lock in place.database.parent.glob(f"{prefix}*.lock"):
        try:
            with locks.exclusive(lock, wait=0):
                _remove(lock.with_suffix(""), lock)
        except (locks.Busy, OSError):
            continue
    aside = place.database.with_name(f"{prefix}{secrets.token_hex(6)}")
    lock = aside.with_name(f"{aside.name}.lock")
    try:
        yield aside, lock
    finally:
        _remove(aside, lock)


def _remove(aside: Path, lock: Path) -> None:
    aside.unlink(missing_ok=True)
    _log_of(aside).unlink(missing_ok=True)
    lock.unlink(missing_ok=True)


def _log_of(path: Path) -> Path:
    """DuckDB's write-ahead log of a database."""
    return path.with_name(f"{path.name}.wal")


def prune(place: Place, older_than: timedelta, *, dry_run: bool = False) -> Pruned:
    """Remove the sessions that ended before a certain time, with their journals; never one that is being recorded."""
    if not place.database.exists() and not journals.find(place.journals):
        return Pruned((), 0)
    folding.fold(place)
    before = time.time_ns() - round(older_than.total_seconds() * 1e9)
    with _alone(place):
        with database.writing(place.database, _WAIT) as connection:
            old = _old_sessions(connection, place, before)
            if not dry_run:
                _forget(connection, list(old))
        # The journals go last: after a crash in between, the next fold brings the sessions back whole.
        paths = [*old.values(), *_stillborn(place, before)]
        freed = sum(path.lstat().st_size for path in paths if path.exists())
        if not dry_run:
            for path in paths:
                path.unlink(missing_ok=True)
    return Pruned(tuple(old), freed)


def _old_sessions(connection: duckdb.DuckDBPyConnection, place: Place, before: int) -> dict[str, Path]:
    """The sessions that ended before a time, and their journals."""
    rows = connection.execute(
        f"SELECT session, journal FROM {DATA}.sessions WHERE state <> '{LIVE}' AND last_at < ? ORDER BY last_at",
        [before],
    ).fetchall()
    found = {session: place.journals / Path(str(journal)).name for session, journal in rows}
    return {session: path for session, path in found.items() if not journals.is_live(path)}


def _forget(connection: duckdb.DuckDBPyConnection, sessions: list[str]) -> None:
    if not sessions:
        return
    connection.execute("BEGIN")
    for table in OF_SESSIONS:
        connection.execute(f"DELETE FROM {DATA}.{table} WHERE session IN (SELECT unnest(?))", [sessions])
    connection.execute(f"DELETE FROM {DATA}.definitions WHERE digest NOT IN (SELECT digest FROM {DATA}.items)")
    connection.execute("COMMIT")


def _stillborn(place: Place, before: int) -> list[Path]:
    """Old journals that never got as far as a first record."""
    found = []
    for path in journals.find(place.journals):
        facts = path.lstat()
        if facts.st_size < codec.PREAMBLE_SIZE and facts.st_mtime_ns < before and not journals.is_live(path):
            found.append(path)
    return found


@contextmanager
def _alone(place: Place) -> Iterator[None]:
    try:
        with locks.exclusive(place.lock, _WAIT, place.journals):
            yield
    except locks.Busy as busy:
        raise _in_use(place, busy) from busy


def _in_use(place: Place, busy: locks.Busy) -> CaptureError:
    return CaptureError(f"{place.database} is in use by {busy}: try again when it is done")
