"""Bring a session from a file into a capture, whole or not at all.

The capture gets a journal like any other. Which sessions it has is told from its journals, so an import needs no
database and waits for nobody; whoever opens the capture next folds the journal in. Beside a database that nobody
will be able to fold into, nothing is put.
"""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from mcptest.capture import database, formats, journals, locks
from mcptest.capture.place import Place, make_private_folder
from mcptest.errors import CaptureError, McptestError
from mcptest.wire import Frame

_LEFT_OVERS = 2  # files that a killed import may have left


class Imported(NamedTuple):
    session: str
    frames: int
    known: bool  # the capture had this very session already


def bring_in(place: Place, file: BinaryIO, where: str, *, name: str | None = None) -> Imported:
    """Import one file, of whatever format it is; `name` replaces the session's own."""
    _refuse_unfit(place)
    start = file.read(formats.SNIFF)
    frames = formats.recognise(start, where).read(_rewound(start, file), where)
    header = next(frames)
    facts = json.loads(header.data)
    session: str = facts["session"]
    if name is not None:
        header = header._replace(data=json.dumps({**facts, "name": name}).encode())
    counted = _Counted(frames)
    existing = _journal_of(place, session)
    if existing is None:
        _write(place.journals, counted, header)
    elif not _same(existing, itertools.chain([header], counted)):
        raise CaptureError(
            f"{where}: the capture has another session {session} already, which is left as it is; "
            "import into a capture of its own with --capture"
        )
    return Imported(session, counted.count + 1, known=existing is not None)


def _refuse_unfit(place: Place) -> None:
    if not place.database.exists():
        return
    try:
        with locks.shared(place.lock, 0, place.journals), database.reading(place.database, 0):
            pass
    except (locks.Busy, database.Outdated):
        pass  # a capture, in use or to be made anew


class _Counted:
    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames
        self.count = 0

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        frame = next(self._frames)
        self.count += 1
        return frame


def _journal_of(place: Place, session: str) -> Path | None:
    try:
        found = journals.find(place.journals)
    except OSError as error:
        raise CaptureError(f"cannot read {place.journals}: {error.strerror}") from error
    return next((path for path in found if path.stem.partition("-")[2] == session), None)


def _write(folder: Path, frames: Iterator[Frame], header: Frame) -> None:
    try:
        make_private_folder(folder)
        for _ in range(_LEFT_OVERS):
            try:
                journals.write_whole(folder, frames, header)
                return
            except FileExistsError as error:
                _clear_away(Path(error.filename2 or error.filename))
        journals.write_whole(folder, frames, header)
    except OSError as error:
        raise McptestError(f"cannot write into {folder}: {error.strerror}") from error


def _clear_away(left_over: Path) -> None:
    """An import that was killed leaves a part behind, whose lock is gone with it."""
    if journals.is_live(left_over):
        raise CaptureError("this session is being imported by another mcptest right now")
    left_over.unlink(missing_ok=True)


def _same(path: Path, frames: Iterable[Frame]) -> bool:
    kept = itertools.chain.from_iterable(stretch.frames for stretch in journals.read(path))
    pairs = itertools.zip_longest(kept, frames)
    ours, theirs = next(pairs)
    same = ours is not None and _without_name(ours) == _without_name(theirs)
    for ours, theirs in pairs:  # to the end, so that a damaged file is never called a known one
        same = same and ours == theirs
    return same


def _without_name(header: Frame) -> tuple[Any, ...]:
    try:
        facts = json.loads(header.data)
        facts.pop("name", None)
    except (ValueError, AttributeError):
        facts = header.data
    return (*header._replace(data=b""), facts)


def _rewound(start: bytes, rest: BinaryIO) -> BinaryIO:
    """A file as it was before its first bytes were looked at; it may be a pipe."""
    return io.BufferedReader(_Rewound(start, rest), buffer_size=1 << 20)


class _Rewound(io.RawIOBase):
    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start, self._rest = start, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._start[: len(buffer)] or self._rest.read(len(buffer))
        self._start = self._start[len(data) :]
        buffer[: len(data)] = data
        return len(data)
