"""Calls a tool that does not exist.

The server must refuse: with a JSON-RPC error (the specification's way, -32602), or with an `isError` result. A result
as if all were well means that names are not looked at.
"""

from mcptest.probes.check import Scope
from mcptest.probes.talk import Seen, Talk

TAXONOMY = "FAULT-PROTO-UNKNOWN-METHOD"
PAPER = "2606.05339"
DEFAULT = True
SCOPE = Scope.SERVER
NOBODY = "mcptest_no_such_tool"


async def converse(talk: Talk) -> Seen:
    return talk.seen(await talk.call(NOBODY, {}), f"a call of {NOBODY!r}")
