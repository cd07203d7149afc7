"""What MCP is: its revisions and the words on the wire that mean something to more than one room.

`mcptest.protocol.methods` holds the names of methods and of keys, `mcptest.protocol.errors` the error codes.
"""

from mcptest.protocol.methods import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LISTS,
    LOG_LEVEL,
    NAMES,
    PROGRESS_TOKEN,
    PROTOCOL_VERSION,
    SERVER_INFO,
    SUBSCRIPTION_ID,
    Listing,
)
from mcptest.protocol.revisions import HANDSHAKE_REVISIONS, REVISIONS, STATELESS_REVISIONS
from mcptest.protocol.traffic import CORE_METHODS, methods_of

__all__ = [
    "CLIENT_CAPABILITIES",
    "CLIENT_INFO",
    "CORE_METHODS",
    "HANDSHAKE_REVISIONS",
    "LISTS",
    "LOG_LEVEL",
    "NAMES",
    "PROGRESS_TOKEN",
    "PROTOCOL_VERSION",
    "REVISIONS",
    "SERVER_INFO",
    "STATELESS_REVISIONS",
    "SUBSCRIPTION_ID",
    "Listing",
    "methods_of",
]
