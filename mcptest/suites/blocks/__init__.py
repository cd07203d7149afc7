"""The blocks of a suite. Each is a module, named as the block is; its `shape(context)` reads it into entries."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from mcptest import plugins


@cache
def known() -> dict[str, ModuleType]:
    return {name: plugins.load(__name__, name) for name in plugins.names(__name__)}
