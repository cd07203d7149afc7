"""mcptest: knowing for certain how an MCP server behaves."""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mcptest.replay.api import mock as mock
    from mcptest.replay.api import replay as replay


def __getattr__(name: str) -> "Any":
    """For tests, `mcptest.replay(...)` and `mcptest.mock(...)`, loaded when they are first used."""
    from importlib import import_module

    if name == "replay":
        return import_module("mcptest.replay")
    if name == "mock":
        return import_module("mcptest.replay.api").mock
    raise AttributeError(f"module 'mcptest' has no attribute {name!r}")
