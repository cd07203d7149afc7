"""Questions that come with mcptest: each a file of SQL in this folder, whose first comment says what it tells."""

from __future__ import annotations

import itertools
from importlib.resources import files
from typing import NamedTuple

from mcptest.errors import UsageError

_SUFFIX = ".sql"


class Query(NamedTuple):
    name: str
    description: str
    sql: str


def find_all() -> list[Query]:
    return [_load(name) for name in names()]


def names() -> list[str]:
    entries = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in entries if name.endswith(_SUFFIX))


def find(name: str) -> Query:
    if name not in names():
        raise UsageError(f"no question {name!r}; there are: {', '.join(names())}")
    return _load(name)


def _load(name: str) -> Query:
    sql = files(__name__).joinpath(name + _SUFFIX).read_text(encoding="utf-8")
    comment = itertools.takewhile(lambda line: line.startswith("--"), sql.splitlines())
    return Query(name, " ".join(line.lstrip("- ").rstrip() for line in comment), sql)
