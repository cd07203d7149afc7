"""Where a capture lives: a DuckDB file, and beside it the folder of journals that it is folded from.

The default is one capture per user, since clients start servers from any directory. `--capture` and
`MCPTEST_CAPTURE` name another: a `.duckdb` file, or a folder that holds `capture.duckdb`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from mcptest.errors import CaptureError

ENVIRONMENT = "MCPTEST_CAPTURE"
_FILE_NAME = "capture.duckdb"
_SALT_SIZE = 32


class Place(NamedTuple):
    database: Path

    @property
    def journals(self) -> Path:
        return self.database.with_name(self.database.name.removesuffix(".duckdb") + ".journals")

    @property
    def lock(self) -> Path:
        return self.database.with_name(self.database.name + ".lock")


def locate(path: str | Path | None = None) -> Place:
    """The capture named by the argument, else by the environment, else the user's own."""
    named = path or os.environ.get(ENVIRONMENT)
    if not named:
        import platformdirs

        return Place(Path(platformdirs.user_data_dir("mcptest", appauthor=False)) / _FILE_NAME)
    place = Path(named).expanduser().absolute()
    if place.suffix == ".duckdb" and not place.is_dir():
        return Place(place)
    if place.exists() and not place.is_dir():
        raise CaptureError(f"{place} is not a capture: give a .duckdb file or a folder")
    return Place(place / _FILE_NAME)


def make_private_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, for this user only."""
    missing = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)


def salt(place: Place) -> bytes:
    """The capture's own salt: the same secret gets the same placeholder in all its sessions, and in no other's."""
    path = place.journals / "salt"
    while True:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            _create_salt(path)
            continue
        try:
            value = os.read(descriptor, _SALT_SIZE)
        finally:
            os.close(descriptor)
        if len(value) != _SALT_SIZE:
            raise CaptureError(f"{path} is damaged: delete it to start with a new salt")
        return value


def _create_salt(path: Path) -> None:
    """Written aside and linked into place: whoever comes first wins, and nobody reads half a salt."""
    aside = path.with_name(f".salt.{os.getpid()}.{os.urandom(4).hex()}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, os.urandom(_SALT_SIZE))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(aside, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(aside)
