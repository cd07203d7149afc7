"""The recording that is meant, and how a changed one takes its place."""

from __future__ import annotations

import os
import re
import secrets
import stat
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mcptest.capture import Place, formats, journals, make_private_folder, sources
from mcptest.capture.sources import Source
from mcptest.errors import CaptureError, UsageError
from mcptest.replay.updating import moved
from mcptest.wire import Frame

if TYPE_CHECKING:
    from mcptest.capture import Capture

__all__ = ["Source", "find", "put_back"]


def find(spec: str, place: Place) -> Source:
    """As everywhere, but that `last` passes over replays and probes: who replays the last session twice means the same
    one."""
    counted = re.fullmatch(r"last(?::(\d{1,9}))?", spec)
    return sources.find_one(spec, place) if counted is None else _last(int(counted[1] or 1), spec, place)


def put_back(source: Source, frames: Iterable[Frame], place: Place) -> str:
    """Let a changed recording take its place, and say where it is. A file is written anew, whole or not at all; a
    session of a capture stays, and a new one of the same name stands beside it, which is found from now on."""
    if source.session is None and source.path.suffix != journals.SUFFIX:
        aside = source.path.with_name(f".{source.path.name[:64]}.{secrets.token_hex(4)}.part")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                formats.get("jsonl").write(frames, file)
                os.fchmod(file.fileno(), stat.S_IMODE(source.path.stat().st_mode))
            os.replace(aside, source.path)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise
        return str(source.path)
    make_private_folder(place.journals)
    header, *rest = moved(frames, time.time_ns())
    return "session " + journals.write_whole(place.journals, iter(rest), header).stem.partition("-")[2]


def _last(back: int, spec: str, place: Place) -> Source:
    from mcptest.capture import Capture

    with Capture.open(place) as capture:
        recorded = (one for one in reversed(capture.sessions()) if not _is_replay(capture, one.id))
        for number, summary in enumerate(recorded, 1):
            if number == back:
                return Source(summary.name or summary.id, capture.journal_path(summary.id), summary.id)
        capture.resolve(spec)  # which tells if there are not so many
    raise UsageError(f"{spec}: all of these sessions are replays; name one by its id")


def _is_replay(capture: Capture, session: str) -> bool:
    try:
        header = journals.read_header(capture.journal_path(session))
    except CaptureError:
        return False
    return header is not None and any(header.meta.get(key) is not None for key in ("replay_of", "probe"))
