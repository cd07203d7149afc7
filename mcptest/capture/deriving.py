"""One journal on its way into the tables: how far it came, what is new in it, and going on from there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mcptest.capture import journals
from mcptest.capture.database import DATA, first
from mcptest.capture.loading import Loader, insert
from mcptest.capture.schema import TABLES
from mcptest.errors import CaptureError
from mcptest.wire import Deriver, Exchange, Recall, parse

if TYPE_CHECKING:
    import duckdb

LIVE, ENDED, INTERRUPTED = "live", "ended", "interrupted"

_SLICE = 4096  # frames derived at once: what they become still fits the processor's cache
_SESSION_ID = re.compile(r"[0-9A-Za-z_.-]{1,64}")
_STAMP = re.compile(r"^\d{8}T\d{6}Z-")


class Entry(NamedTuple):
    """How far a journal was derived, and what its session looked like then."""

    session: str
    seed: int
    offset: int
    state: str
    torn: int


class Work(NamedTuple):
    """A journal with something to derive: new bytes, or a recorder that began, ended or died."""

    path: Path
    session: str
    seed: int
    limit: int  # no further: a recorder may write faster than we read
    live: bool
    entry: Entry | None


def sizes(folder: Path) -> dict[Path, int]:
    """The journals of a capture and their lengths by now."""
    found = {}
    for path in journals.find(folder):
        try:
            found[path] = path.lstat().st_size
        except FileNotFoundError:
            continue
    return found


def find_work(
    connection: duckdb.DuckDBPyConnection, limits: dict[Path, int], problems: dict[str, str]
) -> Iterator[Work]:
    """What the tables do not say yet, oldest journal first. Journals that cannot be used go to `problems`."""
    rows = connection.execute(
        f'SELECT j.journal, j.session, j.seed, j."offset", s.state, coalesce(s.torn_length, 0)'
        f" FROM {DATA}.journals j JOIN {DATA}.sessions s USING (session)"
    ).fetchall()
    entries = {row[0]: Entry(*row[1:]) for row in rows}
    owners = {entry.session: name for name, entry in entries.items()}
    for path, limit in limits.items():
        try:
            work = _work(path, limit, entries.get(path.name))
        except CaptureError as error:
            if path.is_symlink() or path.exists():
                problems[path.name] = str(error)
            continue
        if work is None:
            continue
        owner = owners.setdefault(work.session, path.name)
        if owner == path.name:
            yield work
        else:
            problems[path.name] = f"{path}: its session {work.session} is in {owner} already"


def _work(path: Path, limit: int, entry: Entry | None) -> Work | None:
    if entry is None:
        return _new_work(path, limit)
    new = limit - entry.offset - entry.torn
    if new < 0:
        if path.lstat().st_size >= entry.offset + entry.torn:
            return None  # it grew since we looked, and another process was quicker
        raise CaptureError(f"{path} is shorter than it was: `mcptest capture verify` tells more")
    if new == 0 and entry.state == ENDED:
        return None
    live = journals.is_live(path)
    if new == 0 and live == (entry.state == LIVE):
        return None
    if journals.read_seed(path) != entry.seed:
        raise CaptureError(f"{path} was replaced by another file: run `mcptest capture rebuild`")
    return Work(path, entry.session, entry.seed, limit, live, entry)


def _new_work(path: Path, limit: int) -> Work | None:
    live = journals.is_live(path)
    seed = journals.read_seed(path)  # a file that is foreign or newer is refused here
    if seed is None:
        return None
    session = _session_id(path, live)
    return None if session is None else Work(path, session, seed, limit, live, None)


def _session_id(path: Path, live: bool) -> str | None:
    """The journal's session: by its header or, where that cannot be read, by the file's name. None if the recorder
    has not written the header yet."""
    try:
        header = journals.read_header(path)
    except CaptureError:
        header = None
    if header is not None and _SESSION_ID.fullmatch(header.session):
        return header.session
    if header is None and live:
        return None
    return re.sub(r"[^0-9A-Za-z_.-]", "_", _STAMP.sub("", path.stem))[:64]


class Derivation:
    """Derives what is new in a journal into the tables of a schema.

    After each step the rows so far and how far they reach can be saved together.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, into: str, work: Work) -> None:
        self._connection, self._into, self._work = connection, into, work
        self._loader = Loader(connection, into, work.session, known=DATA)
        self._offset = work.entry.offset if work.entry else 0
        self._torn: int | None = None
        self._finished = False
        self._deriver = Deriver() if work.entry is None else _resume(connection, work)

    def steps(self) -> Iterator[int]:
        """Read on; gives the number of frames of each step."""
        path, _, _, limit, live, _ = self._work
        for stretch in journals.read(path, self._offset, final=not live, until=limit):
            damage = [found for found in stretch.damage if not found.torn]
            for start in range(0, len(stretch.frames) or 1, _SLICE):
                self._loader.add(self._deriver.feed(stretch.frames[start : start + _SLICE], damage))
                damage = []
            torn = stretch.damage[-1] if stretch.damage and stretch.damage[-1].torn else None
            self._offset = torn.offset if torn else stretch.offset
            self._torn = torn.length if torn else None
            yield len(stretch.frames)
        self._finished = True

    @property
    def state(self) -> str:
        if self._deriver.facts.ended:
            return ENDED
        return LIVE if self._work.live or not self._finished else INTERRUPTED

    def save(self) -> None:
        """Write what was held back, the session's row and how far the journal was read."""
        self._loader.flush()
        path, session, seed, *_ = self._work
        facts = self._deriver.facts
        row = {
            "session": session,
            "journal": path.name,
            "state": self.state,
            "torn_offset": self._offset if self._torn else None,
            "torn_length": self._torn,
            **{name: value for name, value in facts.as_dict().items() if name in TABLES["sessions"]},
        }
        row["started_at"] = facts.started_at or _time_of(path)
        row["last_at"] = facts.last_at or row["started_at"]
        self._replace("sessions", "session", row)
        entry = {
            "journal": path.name,
            "session": session,
            "seed": seed,
            "offset": self._offset,
            "derivation": json.dumps(self._deriver.state()),
        }
        self._replace("journals", "journal", entry)

    def _replace(self, table: str, key: str, row: dict[str, Any]) -> None:
        self._connection.execute(f"DELETE FROM {self._into}.{table} WHERE {key} = ?", [row[key]])
        insert(self._connection, self._into, table, [[row[name]] for name in TABLES[table]])


def _resume(connection: duckdb.DuckDBPyConnection, work: Work) -> Deriver:
    """Go on where the tables end."""
    row = first(connection, f"SELECT derivation FROM {DATA}.journals WHERE journal = ?", [work.path.name])
    try:
        return Deriver(json.loads(row[0] if row else ""), _recall(connection, work.session))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CaptureError(f"{work.path} cannot be folded on ({error}): run `mcptest capture rebuild`") from error


def _recall(connection: duckdb.DuckDBPyConnection, session: str) -> Recall:
    def waiting() -> Iterable[Exchange]:
        columns = ", ".join('"at" - lag' if name == "mono" else f'"{name}"' for name in Exchange._fields)
        rows = connection.execute(
            f"SELECT {columns} FROM {DATA}.exchanges WHERE session = ? AND answer IS NULL ORDER BY seq, batch",
            [session],
        ).fetchall()
        return [_with_own_id(Exchange(*row)) for row in rows]

    def _with_own_id(exchange: Exchange) -> Exchange:
        """Half a surrogate pair is stored as its escape: an id with one is read from its message again."""
        if "\\ud" not in exchange.id:
            return exchange
        own = parse(message(exchange.seq, exchange.batch))[0].id
        return exchange if own is None else exchange._replace(id=own.text)

    def frame(seq: int) -> bytes:
        return _bytes(f"coalesce(data, encode(text)) FROM {DATA}.frames", seq, None)

    def message(seq: int, batch: int | None) -> bytes:
        return _bytes(f"encode(raw) FROM {DATA}.messages", seq, batch)

    def _bytes(what: str, seq: int, batch: int | None) -> bytes:
        values = [session, seq] if batch is None else [session, seq, batch]
        also = "" if batch is None else " AND batch = ?"
        row = first(connection, f"SELECT {what} WHERE session = ? AND seq = ?{also}", values)
        return row[0] if row and row[0] is not None else b""

    return Recall(waiting, frame, message)


def _time_of(path: Path) -> int:
    """When a session began whose header cannot be read, as far as the file system knows."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
