"""Talk to a live server as a client of our own, and keep what was said as a session like any other."""

from mcptest.live.client import Client, Manner, Refusal
from mcptest.live.opening import Opening
from mcptest.live.recorder import Recorder
from mcptest.live.visiting import Keeping, visit

__all__ = ["Client", "Keeping", "Manner", "Opening", "Recorder", "Refusal", "visit"]
