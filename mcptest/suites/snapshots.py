"""Snapshots: values in JSON files beside the suite, as the last accepted run left them."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

from mcptest.errors import McptestError, UsageError
from mcptest.suites.targets import MISSING

_LARGEST = 16 << 20


class Snapshots:
    """Of one suite. With `update`, what is seen takes the place of what was kept; nothing is written before `save`."""

    def __init__(self, folder: Path, *, update: bool = False) -> None:
        self._folder, self.update = folder, update
        self._new: dict[str, Any] = {}

    def get(self, file: str) -> Any:
        """MISSING if there is none."""
        path = self._folder / file
        try:
            if path.stat().st_size > _LARGEST:
                raise UsageError(f"{path} is larger than {_LARGEST >> 20} MiB: that is no snapshot")
            return json.loads(path.read_bytes())
        except FileNotFoundError:
            return MISSING
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from error
        except (ValueError, RecursionError):
            raise UsageError(f"{path} is no snapshot: it is not JSON") from None

    def put(self, file: str, value: Any) -> None:
        self._new[file] = value

    def save(self) -> list[str]:
        """Write what changed, each file whole or not at all, and name it."""
        written = []
        for file, value in self._new.items():
            text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
            path = self._folder / file
            if not path.is_file() or path.read_bytes() != text.encode("utf-8", "backslashreplace"):
                _write(path, text)
                written.append(file)
        return written


def _write(path: Path, text: str) -> None:
    if path.is_symlink():
        raise UsageError(f"{path} is a symbolic link, which is never written through")
    aside = path.with_name(f".{path.name[:64]}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(text.encode("utf-8", "backslashreplace"))
        os.replace(aside, path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise McptestError(f"cannot write {path}: {error.strerror}") from error
