"""What a user names when a recording is wanted: a session of the capture, a journal, an exported file, or a whole
capture, which may be named by its folder, with all its sessions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mcptest.capture import formats, journals
from mcptest.capture.place import Place, locate
from mcptest.errors import CaptureError, UsageError
from mcptest.wire import Frame

_FILES = (".jsonl", ".json", ".duckdb", journals.SUFFIX)
_JOURNAL = b"mcptest-journal "
_DUCKDB, _DUCKDB_AT = b"DUCK", 8  # the magic bytes of a database and where they stand


class Source(NamedTuple):
    """One recorded session. `name` is how to speak of it; `path` is its journal or the exported file."""

    name: str
    path: Path
    session: str | None = None

    def frames(self) -> Iterator[Frame]:
        """The recording, streamed; CaptureError where it is damaged."""
        start = _start(self.path)
        if start.startswith(_JOURNAL):
            for stretch in journals.read(self.path, final=not journals.is_live(self.path)):
                yield from stretch.frames
            return
        with self.path.open("rb") as file:
            yield from formats.recognise(start, self.name).read(file, self.name)


def find(spec: str, place: Place) -> list[Source]:
    """The sessions that are meant: of a file if there is one of that name, else the one of the capture."""
    path = Path(spec)
    if path.is_file():
        start = _start(path)
        if start[_DUCKDB_AT:].startswith(_DUCKDB):
            return _all(locate(path))
        return [Source(spec, path)]
    if (path.is_dir() and "/" in spec) or (path.suffix == ".duckdb" and locate(path).journals.is_dir()):
        return _all(locate(path))
    if names_file(spec):
        raise UsageError(f"there is no file {spec}")
    from mcptest.capture.store import Capture

    with Capture.open(place) as capture:
        summary = capture.resolve(spec)
        return [Source(summary.name or summary.id, capture.journal_path(summary.id), summary.id)]


def find_one(spec: str, place: Place) -> Source:
    """The one session that is meant; UsageError where several are."""
    for path in journals.find(place.journals):
        if path.stem.partition("-")[2] == spec:  # a whole id: the database has nothing to add
            return Source(spec, path, spec)
    found = find(spec, place)
    if len(found) != 1:
        raise UsageError(f"{spec} holds {len(found)} sessions: name one of them, with --capture {spec}")
    return found[0]


def names_file(spec: str) -> bool:
    """Can this only be meant as a file, whether it is there or not?"""
    return Path(spec).suffix in _FILES or "/" in spec


def is_recording(path: Path) -> bool:
    """Does this file hold recorded sessions, and not something else such as a list of tools?"""
    start = _start(path)
    if start.startswith(_JOURNAL) or start[_DUCKDB_AT:].startswith(_DUCKDB):
        return True
    return any(formats.get(name).recognise(start) for name in formats.names())


def _all(place: Place) -> list[Source]:
    from mcptest.capture.store import Capture

    with Capture.open(place) as capture:
        return [Source(one.name or one.id, capture.journal_path(one.id), one.id) for one in capture.sessions()]


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(formats.SNIFF)
    except OSError as error:
        raise CaptureError(f"cannot read {path}: {error.strerror}") from error
