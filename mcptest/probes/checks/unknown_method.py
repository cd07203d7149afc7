"""Asks for a method that does not exist.

The server must refuse with a JSON-RPC error (-32601). A result is an acceptance; a request is always answered, so
silence is a hang.
"""

from mcptest.probes.check import Scope
from mcptest.probes.talk import Seen, Talk

TAXONOMY = "FAULT-PROTO-UNKNOWN-METHOD"
PAPER = "2606.05339"
SCOPE = Scope.SERVER
METHOD = "mcptest/no_such_method"


async def converse(talk: Talk) -> Seen:
    return talk.seen(await talk.ask(METHOD, {}), f"the method {METHOD!r}", method=METHOD)
