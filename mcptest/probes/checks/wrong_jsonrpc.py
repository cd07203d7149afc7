"""Sends a good request that says it is of another JSON-RPC version.

It is no message of this protocol, so it must not be carried out: an error (-32600) is best, silence passes, a result is
an acceptance.
"""

from mcptest.probes.check import Scope
from mcptest.probes.outcomes import Verdict
from mcptest.probes.talk import QUIET, Seen, Talk

TAXONOMY = "FAULT-PROTO-WRONG-VERSION"
SCOPE = Scope.SERVER


async def converse(talk: Talk) -> Seen:
    method, params = talk.visits.good_request
    message = {**talk.client.request(method, params), "jsonrpc": "1.0"}
    reply = await talk.say(message, timeout=min(QUIET, talk.settings.timeout))
    what = f"{method} with jsonrpc '1.0'"
    if reply.is_silence:
        return Seen(Verdict.PASSED, f"{what}: not answered, and survived")
    return talk.seen(reply, what, method=method)
