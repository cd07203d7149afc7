"""Where recordings come from: a session of a capture, or a file that somebody exported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mcptest.capture import Place, formats, journals
from mcptest.errors import CaptureError, UsageError
from mcptest.wire import Frame

if TYPE_CHECKING:
    from mcptest.capture import Capture, Summary


class Source(NamedTuple):
    """`name` is what the user called it; `path` is the exported file or the journal."""

    name: str
    path: Path
    is_file: bool
    session: str | None = None

    def frames(self) -> Iterator[Frame]:
        """The recording, streamed; CaptureError where it is damaged."""
        if self.path.suffix == journals.SUFFIX:
            for stretch in journals.read(self.path, final=not journals.is_live(self.path)):
                yield from stretch.frames
            return
        try:
            with self.path.open("rb") as file:
                start = file.read(formats.SNIFF)
                file.seek(0)
                yield from formats.recognise(start, self.name).read(file, self.name)
        except OSError as error:
            raise CaptureError(f"cannot read {self.path}: {error.strerror}") from error


def find(spec: str, place: Place) -> Source:
    """What the user means: a file if there is one of that name, else a session of the capture."""
    path = Path(spec)
    if path.is_file():
        return Source(spec, path, is_file=True)
    if path.suffix in (".jsonl", ".json", ".har") or "/" in spec:
        raise UsageError(f"there is no file {spec}")
    named = [journal for journal in journals.find(place.journals) if journal.stem.partition("-")[2] == spec]
    if named:
        return Source(spec, named[0], is_file=False, session=spec)
    from mcptest.capture import Capture

    with Capture.open(place) as capture:
        summary = _resolve(capture, spec)
        return Source(spec, capture.journal_path(summary.id), is_file=False, session=summary.id)


def _resolve(capture: Capture, spec: str) -> Summary:
    """As everywhere, but that `last` passes over replays: who replays the last session twice means the same one."""
    counted = re.fullmatch(r"last(?::(\d{1,9}))?", spec)
    if counted is None:
        return capture.resolve(spec)
    recorded = (one for one in reversed(capture.sessions()) if not _is_replay(capture, one.id))
    for number, summary in enumerate(recorded, 1):
        if number == int(counted[1] or 1):
            return summary
    return capture.resolve(spec)


def _is_replay(capture: Capture, session: str) -> bool:
    try:
        header = journals.read_header(capture.journal_path(session))
    except CaptureError:
        return False
    return header is not None and header.meta.get("replay_of") is not None
