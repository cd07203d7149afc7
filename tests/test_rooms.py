"""The rooms of the package: imports go downward only, and a room is entered by its door."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "mcptest"

# From the top down. Rooms in one set are neighbours and do not know each other.
STOREYS: list[set[str]] = [
    {"__main__"},
    {"cli"},
    {"report"},
    {"suites"},
    {"analyzers", "compliance", "probes", "proxy", "replay"},
    {"live"},
    {
        "baseline",
        "catalogue",
        "findings",
        "jsontext",
        "policy",
        "rulebook",
        "rulepages",
        "rules",
        "schemas",
        "yamltext",
    },
    {"capture", "transport"},
    {"wire"},
    {"protocol"},
    {"config", "doors", "errors", "plugins", "visible"},
]
STOREY = {room: number for number, rooms in enumerate(STOREYS) for room in rooms}

# Modules that may be entered past the door: constants and vocabularies that the door names.
OPEN = {
    "mcptest.capture.formats",
    "mcptest.capture.incoming",
    "mcptest.capture.journals",
    "mcptest.capture.place",
    "mcptest.capture.queries",
    "mcptest.capture.sandbox",
    "mcptest.capture.sources",
    "mcptest.cli.record",
    "mcptest.policy.words",
    "mcptest.protocol.errors",
    "mcptest.protocol.methods",
    "mcptest.proxy.http.mitm",
    "mcptest.proxy.http.options",
    "mcptest.proxy.http.reverse",
    "mcptest.replay.masks",
    "mcptest.replay.matchers",
    "mcptest.replay.mocking",
    "mcptest.replay.serving",
    "mcptest.transport.headers",
    "mcptest.transport.tap",
    "mcptest.transport.target",
    "mcptest.wire.facts",
    "mcptest.wire.frame",
    "mcptest.wire.heads",
    "mcptest.wire.http",
    "mcptest.wire.journal",
    "mcptest.wire.message",
    "mcptest.wire.pairing",
    "mcptest.wire.redaction",
    "mcptest.wire.rows",
    "mcptest.wire.sse",
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imports(path: Path) -> set[str]:
    """The modules of this package that a file imports, as far as the text shows it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                f"{node.module}.{alias.name}" if is_module(f"{node.module}.{alias.name}") else node.module
                for alias in node.names
            }
    return {name for name in found if name.split(".")[0] == "mcptest" and name != "mcptest"}


def is_module(name: str) -> bool:
    place = PACKAGE.parent.joinpath(*name.split("."))
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def test_every_room_has_a_storey():
    rooms = {room_of(name_of(path)) for path in modules()} - {""}
    assert rooms == set(STOREY)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_downward_and_through_doors(path):
    module = name_of(path)
    room = room_of(module)
    for imported in sorted(imports(path)):
        other = room_of(imported)
        if other == room or not room:
            continue
        same_storey = STOREY[other] == STOREY[room]
        vocabulary = same_storey and not (PACKAGE / room).is_dir() and not (PACKAGE / other).is_dir()
        assert STOREY[other] > STOREY[room] or vocabulary, f"{module} looks up to {imported}"
        inside = imported.count(".") > 1
        assert not inside or any(imported == door or imported.startswith(door + ".") for door in OPEN), (
            f"{module} enters {other} past its door: {imported}"
        )


@pytest.mark.parametrize("room", sorted(room for room in STOREY if (PACKAGE / room).is_dir()))
def test_a_door_names_what_it_offers_in_order(room):
    door = importlib.import_module(f"mcptest.{room}")
    # The linter's order: constants, classes, functions.
    assert list(door.__all__) == sorted(door.__all__, key=lambda name: (not name.isupper(), name.islower(), name))
    for name in door.__all__:
        assert getattr(door, name) is not None


def test_recording_loads_nothing_heavy():
    """A client waits for `mcptest record` to start, and for its recorder to be ready."""
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, mcptest.cli.record\n"
            "light = set(sys.modules)\n"
            "import mcptest.proxy.recorder, mcptest.proxy.session\n"
            "print(*light, '|', *sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    relay, recorder = (set(half.split()) for half in loaded.split("|"))
    assert not relay & {"typing", "json", "re", "threading", "subprocess", "dataclasses", "asyncio"} - baseline()
    assert not recorder & {"duckdb", "numpy", "typer", "rich", "mcp", "pydantic", "orjson", "asyncio"}


def baseline() -> set[str]:
    """What the interpreter loads by itself, with the environment's own start-up files."""
    return set(
        subprocess.run(
            [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
        ).stdout.split()
    )
