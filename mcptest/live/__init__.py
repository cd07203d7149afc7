"""Talk to a live server as a client of our own, and keep what was said as a session like any other."""

from mcptest.live.recorder import Recorder

__all__ = ["Recorder"]
