"""Stand between a client and a server without changing a byte."""

from mcptest.proxy.options import Options
from mcptest.proxy.relay import run_stdio

__all__ = ["Options", "run_stdio"]
