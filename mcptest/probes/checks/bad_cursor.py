"""Asks for a page by a cursor that the server never gave.

The server should refuse with an error (-32602). To answer with a page as if the cursor were none is an acceptance: a
client that mixed up its cursors would read the same page for ever.
"""

from mcptest.probes.check import Scope
from mcptest.probes.subject import Skip
from mcptest.probes.talk import Seen, Talk

TAXONOMY = "FAULT-PROTO-BAD-CURSOR"
SCOPE = Scope.SERVER
CURSOR = "mcptest-no-such-cursor"


async def converse(talk: Talk) -> Seen:
    for kind in ("tools", "resources", "prompts"):
        if kind in talk.capabilities:
            method = f"{kind}/list"
            reply = await talk.ask(method, {"cursor": CURSOR})
            return talk.seen(reply, f"{method} with the cursor {CURSOR!r}", method=method)
    raise Skip("the server lists nothing")
