"""Doors that open late: a room's names are loaded when they are first used, not when the room is entered.

For rooms whose doors a recorder passes while a client waits, and for names that bring heavy libraries along.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def late(package: str, modules: dict[str, str]) -> Callable[[str], Any]:
    """A module's `__getattr__`: each name of the door is found in the module of the room that is given for it."""

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return find
