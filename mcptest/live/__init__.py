"""Talk to a live server as a client of our own, and keep what was said as a session like any other."""

from mcptest.live.client import Client, Manner, Refusal
from mcptest.live.exercising import Exercise, Limits, exercise
from mcptest.live.opening import Opening
from mcptest.live.recorder import Recorder
from mcptest.live.servers import Server, WrongServer, read_server
from mcptest.live.visiting import Keeping, NotOpened, reach, visit

__all__ = [
    "Client",
    "Exercise",
    "Keeping",
    "Limits",
    "Manner",
    "NotOpened",
    "Opening",
    "Recorder",
    "Refusal",
    "Server",
    "WrongServer",
    "exercise",
    "reach",
    "read_server",
    "visit",
]
