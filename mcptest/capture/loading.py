"""Put derived rows into DuckDB tables: a capture's own, or those in memory that stand in for it.

Columns go over as arrays, since an INSERT per row is a hundred times slower. Each is cast to its table's type, so
that DuckDB never guesses one from the values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mcptest.capture.schema import TABLES, bare
from mcptest.wire import Exchange, Repair, Rows

if TYPE_CHECKING:
    import duckdb

_MOST_ROWS = 50_000  # kept back before they are written,
_MOST_BYTES = 16 << 20  # or this much text
_LARGEST = (1 << 63) - 1
_EXACT = 1 << 53  # whole numbers up to here survive as floats
_SEQ, _BATCH = Exchange._fields.index("seq"), Exchange._fields.index("batch")

# Numbers for which it pays to look whether one stands for all.
_OFTEN_THE_SAME = {"batch", "answer_batch", "conn", "flags", "whole", "failed", "cancelled"}
# Columns that are not stored as they are given.
_STORED = {"data": 'unhex("data")', "lag": '"at"::BIGINT - "lag"::BIGINT'}

Columns = list[list[Any]]
_TABLES = ("frames", "messages", "exchanges", "errors", "gaps", "damage", "items")


class Loader:
    """Collects the rows of one session, column by column, and writes them when there are enough.

    `known` is a schema whose definitions need not be written again.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, schema: str, session: str, *, known: str) -> None:
        self._connection, self._schema, self._session, self._known = connection, schema, session, known
        self._reset()

    def _reset(self) -> None:
        self._columns: dict[str, Columns] = {name: [] for name in _TABLES}
        self._changed: dict[tuple[int, int], tuple[Any, ...]] = {}
        self._http: dict[int, tuple[Any, ...]] = {}  # by its number
        self._http_known: set[int] = set()  # those of which an earlier row may be written
        self._repairs: list[Repair] = []
        self._definitions: dict[str, str] = {}
        self._first: int | None = None  # the first exchange that is not written yet
        self._clean = False
        self._count = self._size = 0

    def add(self, rows: Rows) -> None:
        for name in _TABLES:
            _extend(self._columns[name], getattr(rows, name))
        if self._first is None and rows.exchanges:
            self._first = rows.exchanges[0][_SEQ]
        for row in rows.changed:
            self._changed[_place(row)] = row
        self._http |= {row[0]: row for row in rows.http}
        self._http_known |= set(rows.http_known)
        self._repairs += rows.repairs
        self._definitions |= rows.definitions
        self._clean |= rows.unclean
        self._count += len(rows.messages) + len(rows.frames) + len(rows.items) + len(rows.http)
        self._size += rows.size
        if self._count >= _MOST_ROWS or self._size >= _MOST_BYTES:
            self.flush()

    def flush(self) -> None:
        for name in _TABLES:
            if name != "exchanges":
                self._insert(name, self._columns[name])
        self._insert_exchanges()
        self._insert_http()
        self._insert_definitions()
        for repair in self._repairs:
            self._connection.execute(
                f"UPDATE {self._schema}.messages SET answers = ?"
                " WHERE session = ? AND seq = ? AND batch IS NOT DISTINCT FROM ?",
                [scrub(repair.answers), self._session, repair.seq, repair.batch],
            )
        self._reset()

    def _insert_exchanges(self) -> None:
        """New ones, and those written before that have changed, in their place."""
        if not self._changed:
            self._insert("exchanges", self._columns["exchanges"])
            return
        where = "(seq, coalesce(batch, -1)) IN (SELECT unnest($seqs), unnest($batches))"
        seqs, batches = zip(*self._changed, strict=True)
        places = {"seqs": list(seqs), "batches": list(batches)}
        self._insert("exchanges", self._columns["exchanges"], f"NOT {where}", places)
        if self._first is None or min(seqs) < self._first:
            self._connection.execute(
                f"DELETE FROM {self._schema}.exchanges WHERE session = $session AND {where}",
                {"session": self._session, **places},
            )
        self._insert("exchanges", _extend([], list(self._changed.values())))

    def _insert_http(self) -> None:
        if self._http_known:
            self._connection.execute(
                f"DELETE FROM {self._schema}.http WHERE session = $session AND x IN (SELECT unnest($known))",
                {"session": self._session, "known": list(self._http_known)},
            )
        self._insert("http", _extend([], list(self._http.values())))

    def _insert_definitions(self) -> None:
        if self._definitions:
            new = " AND ".join(
                f"digest NOT IN (SELECT digest FROM {schema}.definitions)" for schema in {self._schema, self._known}
            )
            columns: Columns = [list(self._definitions), list(self._definitions.values())]
            insert(self._connection, self._schema, "definitions", columns, where=new)

    def _insert(self, table: str, columns: Columns, where: str = "true", values: dict[str, Any] | None = None) -> None:
        insert(
            self._connection,
            self._schema,
            table,
            columns,
            session=self._session,
            clean=self._clean,
            where=where,
            values=values or {},
        )


def insert(
    connection: duckdb.DuckDBPyConnection,
    schema: str,
    table: str,
    columns: Columns,
    *,
    session: str | None = None,
    clean: bool = True,
    where: str = "true",
    values: dict[str, Any] | None = None,
) -> None:
    """Add rows to a table, given as its columns; with `session`, that column is the same in all of them. `clean` if
    text may hold what is no UTF-8."""
    if not columns:
        return
    kinds = {name: bare(kind) for name, kind in TABLES[table].items()}
    given = {}
    if session is not None:
        del kinds["session"]
        given["session"] = session
    selected = [f"${name} AS {name}" for name in given]
    arrays: dict[str, Any] = {}
    for (name, kind), column in zip(kinds.items(), columns, strict=True):
        if name in _OFTEN_THE_SAME and column.count(column[0]) == len(column):
            expression = f"{'NULL' if column[0] is None else int(column[0])}::{kind}"
        elif (array := _array(kind, column, clean)) is None:
            expression = f"NULL::{kind}"
        else:
            arrays[name] = array
            expression = _STORED.get(name) or f'"{name}"::{kind}'
        selected.append(f'{expression} AS "{name}"')
    connection.register("derived", arrays)
    connection.execute(
        f"INSERT INTO {schema}.{table} SELECT * FROM (SELECT {', '.join(selected)} FROM derived) WHERE {where}",
        {**given, **(values or {})},
    )
    connection.unregister("derived")


def _extend(columns: Columns, rows: Sequence[Iterable[Any]]) -> Columns:
    if rows:
        if not columns:
            columns.extend([] for _ in rows[0])
        for column, values in zip(columns, zip(*rows, strict=True), strict=True):
            column.extend(values)
    return columns


def _place(row: tuple[Any, ...]) -> tuple[int, int]:
    batch = row[_BATCH]
    return row[_SEQ], -1 if batch is None else batch


def _array(kind: str, values: list[Any], clean: bool) -> Any:
    """The values as a numpy array that DuckDB takes without looking into it; None if all of them are null."""
    if kind == "VARCHAR":
        return _texts([scrub(value) for value in values] if clean else values)
    if kind == "BLOB":
        return _texts([value if value is None else value.hex() for value in values])
    return _numbers(values)


def _texts(values: list[str | None]) -> Any:
    import numpy

    if not any(values) and _all_null(values):
        return None
    array = numpy.empty(len(values), dtype=object)
    array[:] = values
    return array


def _numbers(values: list[Any]) -> Any:
    import numpy

    try:
        return numpy.array(values, dtype=numpy.int64)
    except TypeError:  # there are nulls
        if _all_null(values):
            return None
    except OverflowError:  # there are numbers that only a forged journal can hold
        values = [value if value is None else min(value, _LARGEST) for value in values]
    floats = numpy.array(values, dtype=numpy.float64)  # where a null is no number
    mask = numpy.isnan(floats)
    floats[mask] = 0
    if numpy.abs(floats).max() < _EXACT:
        return numpy.ma.array(floats.astype(numpy.int64), mask=mask)
    return numpy.ma.array([min(value or 0, _LARGEST) for value in values], mask=mask, dtype=numpy.int64)


def _all_null(values: list[Any]) -> bool:
    return values.count(None) == len(values)


def scrub(text: str | None) -> str | None:
    """Half a surrogate pair, which JSON can express and UTF-8 cannot, shown as its escape."""
    if text is None or text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode()
