"""Journal files: create, find and read them. A recorder holds a lock on its journal for as long as it lives."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from mcptest.errors import CaptureError
from mcptest.wire import Damage, Frame, journal
from mcptest.wire.frame import HEADER

SUFFIX = ".mcpj"
_BLOCK = 4 << 20
_LARGEST_STEP = 16 << 20


class Header(NamedTuple):
    """What a journal says about its session in its first record."""

    session: str
    name: str | None
    transport: str
    target: dict[str, Any]
    started_at: int
    meta: dict[str, Any]  # everything the record holds, for readers of later minor versions


def new_session_id() -> str:
    return os.urandom(6).hex()


def new_seed() -> int:
    return int.from_bytes(os.urandom(4), "little")


def header_frame(
    session: str,
    *,
    at: int,
    mono: int,
    transport: str,
    target: dict[str, Any],
    name: str | None = None,
    **more: Any,
) -> Frame:
    """The first record of a new session, which began at these times."""
    from mcptest import __version__

    body = {
        "session": session,
        "name": name,
        "transport": transport,
        "target": target,
        "started_at": at,
        "mcptest": __version__,
        **more,
    }
    return Frame(0, at, mono, 0, HEADER, 0, json.dumps(body).encode())


def path_for(folder: Path, session: str, at: int) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(at // 1_000_000_000))
    return folder / f"{stamp}-{session}{SUFFIX}"


def create(path: Path, start: bytes = b"") -> int:
    """A new journal with these first bytes, locked, for this user only; it appears under its name when it is all that.

    Never follows a link, never replaces a file.
    """
    aside = path.with_name("." + path.name + ".new")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(aside, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if start:
            os.write(descriptor, start)
        os.link(aside, path)
    except BaseException:
        os.close(descriptor)
        raise
    finally:
        os.unlink(aside)
    return descriptor


def write_whole(folder: Path, frames: Iterator[Frame], header: Frame) -> Path:
    """A finished journal at once, as an importer makes one: under its final name only when it is complete."""
    info = json.loads(header.data)
    final = path_for(folder, info["session"], header.at)
    aside = final.with_name("." + final.name + ".part")
    seed = new_seed()
    descriptor = create(aside)
    try:
        with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
            file.write(journal.preamble(seed))
            file.writelines(journal.encode(header, seed))
            for frame in frames:
                file.writelines(journal.encode(frame, seed))
            file.flush()
            os.fsync(file.fileno())
            os.rename(aside, final)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    return final


def find(folder: Path) -> list[Path]:
    """The journals of a capture, oldest first."""
    try:
        return sorted(entry for entry in folder.iterdir() if entry.suffix == SUFFIX and entry.name[0] != ".")
    except FileNotFoundError:
        return []


def is_live(path: Path) -> bool:
    """Is a recorder still writing this journal?"""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


class Stretch(NamedTuple):
    """Some consecutive whole records, what was damaged among them, and the offset behind them."""

    frames: list[Frame]
    damage: list[Damage]
    offset: int


def read(
    path: Path, offset: int = 0, *, final: bool = True, until: int | None = None, block: int = _BLOCK
) -> Iterator[Stretch]:
    """Read a journal from a record's offset in bounded memory. Unless `final`, an incomplete last record is left
    for the next call, which goes on from the last stretch's offset; so is what stands behind the offset `until`."""
    with _open(path) as file:
        start = file.read(journal.PREAMBLE_SIZE)
        if not final and len(start) < journal.PREAMBLE_SIZE:
            return
        seed = journal.read_seed(start, str(path))
        position = max(offset, journal.PREAMBLE_SIZE)
        file.seek(position)
        buffer = b""
        while True:
            # A record longer than a block is read in steps that double, so that it is not copied again and again.
            wanted = max(block, min(len(buffer), _LARGEST_STEP))
            if until is not None:
                wanted = min(wanted, max(until - position - len(buffer), 0))
            more = file.read(wanted)
            buffer = buffer + more if buffer else more
            decoded = journal.decode(buffer, seed, base=position, final=final and not more)
            position += decoded.consumed
            buffer = buffer[decoded.consumed :]
            if decoded.consumed:
                yield Stretch(decoded.frames, decoded.damage, position)
            if not more:
                return


def read_seed(path: Path) -> int | None:
    """What tells a journal from every other one; None if the file is too short to have it yet."""
    with _open(path) as file:
        start = file.read(journal.PREAMBLE_SIZE)
    return journal.read_seed(start, str(path)) if len(start) == journal.PREAMBLE_SIZE else None


def _open(path: Path) -> BinaryIO:
    try:
        # A pipe in a journal's place would wait for a writer for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise CaptureError(f"cannot read {path}: not a regular file")
    except OSError as error:
        raise CaptureError(f"cannot read {path}: {error.strerror}") from error
    return os.fdopen(descriptor, "rb", buffering=0)


def read_header(path: Path) -> Header | None:
    """The session's header, None if the journal is too short to have one yet."""
    for stretch in read(path, final=False, block=64 << 10):
        for frame in stretch.frames:
            if frame.channel == HEADER:
                return parse_header(frame, path)
        break
    return None


def parse_header(frame: Frame, path: Path) -> Header:
    try:
        meta = json.loads(frame.data)
        target = meta.get("target")
        return Header(
            session=str(meta["session"]),
            name=meta.get("name"),
            transport=str(meta.get("transport", "stdio")),
            target=target if isinstance(target, dict) else {},
            started_at=int(meta["started_at"]),
            meta=meta,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CaptureError(f"{path}: the journal's header cannot be read ({error})") from error
