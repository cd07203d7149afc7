"""Open, tap and close real connections to servers: stdio and HTTP, both eras.

`mcptest.transport.headers` holds the headers of Streamable HTTP, and `mcptest.transport.target` makes Targets.
"""

from mcptest.transport.connecting import connect
from mcptest.transport.connection import Lost, Patience
from mcptest.transport.peer import Answer, Ears, Peer
from mcptest.transport.tap import Tap
from mcptest.transport.target import Target

__all__ = ["Answer", "Ears", "Lost", "Patience", "Peer", "Tap", "Target", "connect"]
