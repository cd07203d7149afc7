"""From a file to a suite: all of it is read and checked before anything is started."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mcptest import yamltext
from mcptest.errors import UsageError
from mcptest.suites import blocks, matchers, servers, variables
from mcptest.suites.entries import Context
from mcptest.suites.nouns import Entry, Server, Suite
from mcptest.suites.shapes import Schema, together
from mcptest.suites.spots import Mistake, Mistakes, Spot, suggestion
from mcptest.wire.redaction import environment_secrets

NAMES = ("mcptest.yml", "mcptest.yaml")
_BESIDE = ("capture",)  # serves the compliance block


def find(named: str | None) -> Path:
    """The file that is meant: the one named, else the one that is in this folder."""
    if named is not None:
        return Path(named)
    for name in NAMES:
        if Path(name).is_file():
            return Path(name)
    raise UsageError(
        f"there is no {NAMES[0]} here: name a suite, or write one with mcptest init --from SESSION -- COMMAND"
    )


def load(path: Path, environment: Mapping[str, str] | None = None) -> Suite:
    """Mistakes with the place of each, if there are any."""
    return read(yamltext.load(path), path, os.environ if environment is None else environment)


def read(document: yamltext.Document, path: Path, environment: Mapping[str, str]) -> Suite:
    root = Spot(document, (), document.value)
    if not isinstance(document.value, dict):
        raise root.refuse(f"a suite is a mapping with `server:` and blocks such as `tools:`, not {root.kind}")
    # A mistake in one part hides none in the others, as far as they can be read without it.
    steps = [partial(_known, root, key) for key in document.value]
    found: list[dict[str, Server]] = []
    entries: list[Entry] = []
    used: dict[str, str] = {}

    def rest() -> None:
        filled, names = variables.filled(document, environment, frozenset({variables.KEY, servers.MOCK}))
        used.update(names.used)
        spot = Spot(filled, (), filled.value)
        together([partial(_servers, spot, path, found), partial(_entries, spot, path, found, entries)])

    together([*steps, rest])
    secrets = tuple(environment_secrets(used))
    return Suite(path, found[0], tuple(_named_apart(entries, document.name)), secrets)


def _servers(root: Spot, path: Path, found: list[dict[str, Server]]) -> None:
    found.append(servers.read(root, path.parent))


def _entries(root: Spot, path: Path, found: list[dict[str, Server]], entries: list[Entry]) -> None:
    known = found[0] if found else {name: Server(name) for name in servers.names(root)}
    context = Context(path.parent, known, root.document)
    shapes = {name: module.shape(context) for name, module in blocks.known().items() if name in root.value}
    for block in together([partial(shape.read, root.at(name)) for name, shape in shapes.items()]):
        entries += block
    entries.sort(key=lambda one: (one.line, one.column))


def keys() -> list[str]:
    return [variables.KEY, servers.ONE, servers.MANY, servers.MOCK, *blocks.known(), *_BESIDE]


def _known(root: Spot, key: str) -> None:
    if key not in keys():
        raise root.refuse_key(key, f"unknown key {key!r}{suggestion(key, keys())}")


def _named_apart(entries: Sequence[Entry], file: str) -> Iterable[Entry]:
    """Entries that share a name get numbers behind it, from the second on."""
    seen: Counter[str] = Counter()
    taken: set[str] = set()
    mistakes = []
    made = []
    for entry in entries:
        seen[entry.id] += 1
        if seen[entry.id] > 1:
            entry = entry._replace(name=f"{entry.name} #{seen[entry.id]}")
        if entry.id in taken:
            mistakes.append(Mistake(file, entry.line, entry.column, f"the name {entry.name!r} stands twice"))
        taken.add(entry.id)
        made.append(entry)
    if mistakes:
        raise Mistakes(mistakes)
    return made


def select(suite: Suite, patterns: Sequence[str]) -> tuple[Entry, ...]:
    """The entries that any of the patterns fits, all of them where there is none; UsageError if that is no entry."""
    if not suite.entries:
        raise UsageError(f"{suite.path} has no test in it: add a block such as `tools:`")
    for pattern in patterns:
        if not any(entry.matches(pattern) for entry in suite.entries):
            names = [entry.name for entry in suite.entries]
            raise UsageError(f"--filter {pattern!r} selects no test of {suite.path}{suggestion(pattern, names[:20])}")
    return tuple(one for one in suite.entries if not patterns or any(one.matches(pattern) for pattern in patterns))


def schema() -> Schema:
    """The JSON Schema of a whole suite, for editors."""
    from mcptest.replay.mocking import manifest

    own: dict[str, Any] = {
        variables.KEY: {
            "type": "object",
            "description": "Values for ${name}, which the environment's variables stand behind.",
            "propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
        },
        **servers.schema(),
        "capture": {"description": "Recordings that the compliance block judges."},
    }
    for name, module in blocks.known().items():
        summary = (module.__doc__ or "").strip().partition("\n")[0]
        own[name] = {**module.shape(Context()).schema(), "description": summary}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://mcptest.invalid/schemas/suite.json",
        "title": "mcptest suite",
        "description": "What a team expects of an MCP server; `mcptest run` runs it.",
        "type": "object",
        "properties": own,
        "additionalProperties": False,
        "not": {"required": [servers.ONE, servers.MANY]},
        "$defs": {**manifest.schema()["$defs"], "matcher": matchers.definition()},
    }
