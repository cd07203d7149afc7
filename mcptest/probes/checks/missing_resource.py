"""Reads a resource that does not exist.

The server must refuse with an error: -32002 until 2025-11-25, -32602 since 2026-07-28. Contents, even empty ones, are
an acceptance.
"""

from mcptest.probes.check import Scope
from mcptest.probes.subject import Skip
from mcptest.probes.talk import Seen, Talk

TAXONOMY = "FAULT-RESOURCE-NOT-FOUND"
SCOPE = Scope.SERVER
URI = "mcptest://no/such/resource"


async def converse(talk: Talk) -> Seen:
    if "resources" not in talk.capabilities:
        raise Skip("the server declares no resources")
    reply = await talk.ask("resources/read", {"uri": URI})
    return talk.seen(reply, f"a read of {URI!r}", method="resources/read")
