"""The project's configuration: `mcptest.toml`, or the `[tool.mcptest]` table of `pyproject.toml`.

The nearest one from a folder upwards wins. Each room reads and checks its own table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from mcptest.errors import UsageError


class Config(NamedTuple):
    path: Path | None
    tables: dict[str, Any]

    def table(self, name: str, keys: set[str]) -> dict[str, Any]:
        """One table, refusing what it does not know, so that a typo is not silently ignored."""
        table = self.tables.get(name, {})
        if not isinstance(table, dict):
            raise UsageError(f"{self.path}: [{name}] must be a table")
        unknown = sorted(set(table) - keys)
        if unknown:
            raise UsageError(f"{self.path}: unknown key {unknown[0]!r} in [{name}]; known: {', '.join(sorted(keys))}")
        return table


def load(folder: Path | None = None) -> Config:
    start = (folder or Path.cwd()).absolute()
    for place in (start, *start.parents):
        own = place / "mcptest.toml"
        if own.is_file():
            return Config(own, _read(own))
        shared = place / "pyproject.toml"
        if shared.is_file():
            tables = _read(shared).get("tool", {}).get("mcptest")
            if isinstance(tables, dict):
                return Config(shared, tables)
    return Config(None, {})


def _read(path: Path) -> dict[str, Any]:
    import tomllib  # only where there is a file to read: a recorder passes here

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: cannot read the configuration: {error}") from error
