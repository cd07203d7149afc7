"""The folder is the registry: every module in a package is a plugin, found by walking the folder."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def names(package: str) -> list[str]:
    """The plugins of a package, sorted, without importing any of them."""
    paths = importlib.import_module(package).__path__
    return sorted(info.name for info in pkgutil.iter_modules(paths) if not info.name.startswith("_"))


def load(package: str, name: str) -> ModuleType:
    return importlib.import_module(f"{package}.{name}")


def load_all(package: str) -> list[ModuleType]:
    return [load(package, name) for name in names(package)]
