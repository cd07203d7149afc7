"""From bytes to messages and sessions, without I/O: no sockets, no clock, no database."""

from mcptest.wire.frame import Frame
from mcptest.wire.journal import Damage
from mcptest.wire.lines import Lines
from mcptest.wire.message import Id, Message, parse

__all__ = ["Damage", "Frame", "Id", "Lines", "Message", "parse"]
