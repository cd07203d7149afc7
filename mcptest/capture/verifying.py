"""Hold a capture against its journals: every CRC, every sequence number, every row.

Each journal is derived once more, in stretches, and the rows are compared with the capture's by their number and by
the sum of their hashes, so that memory stays small however long a session is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mcptest.capture import journals
from mcptest.capture.database import first
from mcptest.capture.loading import Loader, scrub
from mcptest.capture.place import Place
from mcptest.capture.schema import TABLES, create_tables
from mcptest.capture.store import SOURCE, Capture
from mcptest.errors import CaptureError
from mcptest.wire import DamageRow, Deriver
from mcptest.wire import journal as codec

if TYPE_CHECKING:
    import duckdb

_AGAIN = "again"  # the schema of the rows that are derived once more
_STREAMED = ("frames", "messages", "errors", "gaps", "damage", "items")
_REPLACED = ("exchanges", "http")  # whose rows can change while the session goes on


class Checked(NamedTuple):
    """One session: what its journal holds, what is wrong with the journal, and where the rows differ from it."""

    session: str
    journal: str
    frames: int
    messages: int
    lost: int  # frames that the recorder had to drop, as it says itself
    damage: tuple[str, ...]
    differences: tuple[str, ...]


class Report(NamedTuple):
    sessions: tuple[Checked, ...]
    problems: tuple[str, ...]  # journals without rows

    @property
    def sound(self) -> bool:
        """Everything that was recorded is there and as it was written; what the recorder dropped is said elsewhere."""
        return not self.problems and not any(checked.damage or checked.differences for checked in self.sessions)


def verify(place: Place) -> Report:
    with Capture.open(place) as capture:
        connection = capture.connection
        for statement in create_tables(_AGAIN, compressed=False):
            connection.execute(statement)
        rows = connection.execute(f"SELECT session FROM {SOURCE}.sessions ORDER BY started_at, session").fetchall()
        return Report(
            tuple(_check(capture, session) for (session,) in rows), (*capture.problems, *_stillborn(capture.place))
        )


def _check(capture: Capture, session: str) -> Checked:
    connection = capture.connection
    row = first(
        connection,
        f'SELECT s.journal, j."offset", s.torn_offset, s.torn_length FROM {SOURCE}.sessions s'
        f" JOIN {SOURCE}.journals j USING (session) WHERE s.session = ?",
        [session],
    )
    assert row is not None
    journal, offset, torn_offset, torn_length = row
    again = _Again(connection, session)
    differences: list[str] = []
    try:
        for stretch in journals.read(capture.place.journals / Path(journal).name, until=offset):
            again.add(stretch)
        differences += again.differences()
    except CaptureError as error:
        differences.append(str(error))
    finally:
        again.clear(*TABLES)
    damage = [*again.damage]
    if torn_length:
        damage.append(f"the last {torn_length} bytes, from byte {torn_offset}, are no whole record")
    facts = again.deriver.facts
    return Checked(session, journal, facts.frames, facts.messages, facts.lost, tuple(damage), tuple(differences))


class _Again:
    """A session derived once more."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, session: str) -> None:
        self.deriver = Deriver()
        self.damage: list[str] = []
        self._connection, self._session = connection, session
        self._loader = Loader(connection, _AGAIN, session, known=_AGAIN)
        self._sums = {table: _Sum(0, 0) for table in _STREAMED}
        self._unknown = 0

    def add(self, stretch: journals.Stretch) -> None:
        rows = self.deriver.feed(stretch.frames, stretch.damage)
        self.damage += [_say(DamageRow(*row)) for row in rows.damage]
        self._loader.add(rows)
        self._loader.flush()
        for table in _STREAMED:
            self._sums[table] = self._sums[table].plus(self._sum(_AGAIN, table))
        unknown = first(
            self._connection,
            f"SELECT count(*) FROM {_AGAIN}.definitions a LEFT JOIN {SOURCE}.definitions d USING (digest)"
            " WHERE a.definition IS DISTINCT FROM d.definition",
            [],
        )
        self._unknown += unknown[0] if unknown else 0
        self.clear(*_STREAMED, "definitions")

    def differences(self) -> list[str]:
        sums = self._sums | {table: self._sum(_AGAIN, table) for table in _REPLACED}
        found = []
        for table, expected in sums.items():
            actual = self._sum(SOURCE, table)
            if actual.rows != expected.rows:
                found.append(f"{table}: {actual.rows} rows, the journal gives {expected.rows}")
            elif actual != expected:
                found.append(f"{table}: rows differ from what the journal gives")
        if self._unknown:
            found.append(f"definitions: {self._unknown} are missing or differ")
        return found + self._differing_facts()

    def _differing_facts(self) -> list[str]:
        facts = {name: value for name, value in self.deriver.facts.as_dict().items() if name in TABLES["sessions"]}
        columns = ", ".join(facts)
        row = first(self._connection, f"SELECT {columns} FROM {SOURCE}.sessions WHERE session = ?", [self._session])
        stored = dict(zip(facts, row or (), strict=True))
        return [
            f"sessions: {name} is {stored[name]!r}, the journal gives {value!r}"
            for name, value in facts.items()
            if value is not None and stored[name] != (scrub(value) if isinstance(value, str) else value)
        ]

    def clear(self, *tables: str) -> None:
        for table in tables:
            self._connection.execute(f"TRUNCATE {_AGAIN}.{table}")

    def _sum(self, schema: str, table: str) -> _Sum:
        columns = ", ".join(f'"{column}"' for column in TABLES[table])
        row = first(
            self._connection,
            f"SELECT count(*), coalesce(sum(hash({columns})::HUGEINT), 0) FROM {schema}.{table} WHERE session = ?",
            [self._session],
        )
        assert row is not None
        return _Sum(int(row[0]), int(row[1]))


class _Sum(NamedTuple):
    """Rows in any order."""

    rows: int
    hashes: int

    def plus(self, other: _Sum) -> _Sum:
        return _Sum(self.rows + other.rows, self.hashes + other.hashes)


def _say(damage: DamageRow) -> str:
    if damage.kind == "corrupt":
        return f"{damage.length} bytes from byte {damage.offset} are damaged"
    if damage.first_seq == damage.last_seq:
        return f"frame {damage.first_seq} is {damage.kind}"
    return f"frames {damage.first_seq} to {damage.last_seq} are {damage.kind}"


def _stillborn(place: Place) -> list[str]:
    return [
        f"{path} ends before its first record"
        for path in journals.find(place.journals)
        if path.lstat().st_size < codec.PREAMBLE_SIZE and not journals.is_live(path)
    ]
