"""A capture opened for reading: what was folded, and what could not be folded yet, as one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

from mcptest.capture import database, folding, journals, locks
from mcptest.capture.database import DATA, first
from mcptest.capture.deriving import Work, find_work, sizes
from mcptest.capture.place import Place
from mcptest.capture.schema import TABLES, create_tables, create_views
from mcptest.capture.summary import Summary, resolve
from mcptest.errors import CaptureError
from mcptest.wire import Frame

if TYPE_CHECKING:
    import duckdb

_FOLD_WAIT = 0.1  # for the chance to fold: else we read without,
_LARGE = 64 << 20  # unless there is more than this to derive in memory,
_LONG_FOLD_WAIT = 10.0  # for which it is better to wait
_READ_WAIT = 60.0  # for the end of somebody else's turn; many may be queuing
_HELD_WAIT = 3.0  # for another program to let go of the file
_TAIL = "tail"  # the schema of what is not folded
SOURCE = "source"  # the schema that shows both together
# A row in the tail replaces the one with the same key; in other tables it is an addition.
_REPLACED_BY = {
    "journals": "journal",
    "sessions": "session",
    "exchanges": "session, seq, coalesce(batch, -1)",
    "http": "session, x",
}


class NothingRecorded(CaptureError):  # noqa: N818  (reads better where it is caught)
    """There is no capture at this place yet; an empty one, or one of other sessions, is no error."""


class Capture:
    """The sessions of a capture as of the moment it was opened; a context manager.

    `connection` sees the user's views by their plain names. `problems` has a line for each journal that had to be left
    out, to be shown to the user.
    """

    def __init__(
        self, place: Place, connection: duckdb.DuckDBPyConnection, problems: tuple[str, ...], closing: ExitStack
    ) -> None:
        self.place, self.connection, self.problems = place, connection, problems
        self._closing = closing

    @classmethod
    def open(cls, place: Place, *, fold: bool = True) -> Self:
        """Fold in what is new, then open for reading. NothingRecorded if there is neither database nor journal."""
        limits = sizes(place.journals)
        if not limits and not place.database.exists():
            raise NothingRecorded(
                f"nothing recorded yet in {place.database}: record a server with `mcptest record -- COMMAND`"
            )
        waits = [_FOLD_WAIT, _LONG_FOLD_WAIT] if fold else []
        failed: tuple[str, ...] = ()
        while True:
            with ExitStack() as stack:
                connection = _enter(stack, place)
                problems: dict[str, str] = {}
                work = list(find_work(connection, limits, problems))
                if not waits or not work or (len(waits) == 1 and _bytes(work) < _LARGE):
                    _prepare(connection, work, problems)
                    return cls(place, connection, (*failed, *problems.values()), stack.pop_all())
            failed = _try_to_fold(place, waits.pop(0))

    def close(self) -> None:
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def sessions(self) -> list[Summary]:
        """All sessions, oldest first."""
        rows = self.connection.execute(f"SELECT {', '.join(Summary._fields)} FROM sessions ORDER BY started_at, id")
        return [Summary(*row) for row in rows.fetchall()]

    def resolve(self, spec: str) -> Summary:
        """The session meant by an id, an id's beginning, a name (the newest with it), `last` or `last:2`."""
        return resolve(self.sessions(), spec, str(self.place.database))

    def journal_path(self, session: str) -> Path:
        row = first(self.connection, f"SELECT journal FROM {SOURCE}.sessions WHERE session = ?", [session])
        if row is None:
            raise CaptureError(f"{self.place.database} has no session {session}")
        path = self.place.journals / Path(str(row[0])).name
        if not path.exists():
            raise CaptureError(f"the journal of session {session} is gone: {path}")
        return path

    def frames(self, session: str) -> Iterator[Frame]:
        """All frames of a session as they stand in its journal, header first, streamed."""
        path = self.journal_path(session)
        for stretch in journals.read(path, final=not journals.is_live(path)):
            yield from stretch.frames


def _enter(stack: ExitStack, place: Place) -> duckdb.DuckDBPyConnection:
    try:
        stack.enter_context(locks.shared(place.lock, _READ_WAIT, place.journals))
        return stack.enter_context(database.reading(place.database, _HELD_WAIT))
    except locks.Busy as busy:
        raise CaptureError(
            f"{place.database} is in use by {busy}, which keeps others out: "
            "close it there, or open it read-only there (`duckdb -readonly`)"
        ) from busy


def _try_to_fold(place: Place, wait: float) -> tuple[str, ...]:
    """Fold if that is possible now; else what is missing is derived in memory."""
    try:
        folding.fold_into(place.database, place.journals, place.lock, wait, gate=place.journals)
    except (locks.Busy, database.NotWritable, OSError):
        return ()
    except database.WriteFailed as error:
        return (str(error),)
    return ()


def _bytes(work: list[Work]) -> int:
    return sum(each.limit - (each.entry.offset if each.entry else 0) for each in work)


def _prepare(connection: duckdb.DuckDBPyConnection, work: list[Work], problems: dict[str, str]) -> None:
    """Derive what is not folded into memory, and make the views over both."""
    if work:
        for statement in create_tables(_TAIL, compressed=False):
            connection.execute(statement)
        folding.stand_in(connection, _TAIL, work, problems)
    connection.execute(f"CREATE SCHEMA {SOURCE}")
    for table in TABLES:
        query = f"SELECT * FROM {DATA}.{table}"
        if work:
            key = _REPLACED_BY.get(table)
            if key:
                query += f" WHERE ({key}) NOT IN (SELECT ({key}) FROM {_TAIL}.{table})"
            query += f" UNION ALL SELECT * FROM {_TAIL}.{table}"
        connection.execute(f"CREATE VIEW {SOURCE}.{table} AS {query}")
    for statement in create_views("main", SOURCE):
        connection.execute(statement)
