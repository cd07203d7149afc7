"""Sends something that is not JSON.

The server must not take it for a message, and must live on. Over stdio it should answer with a parse error (-32700),
but there is no id to answer to, so silence passes; over HTTP it must refuse with an error status.
"""

from mcptest.probes.answers import quoted
from mcptest.probes.check import Scope
from mcptest.probes.outcomes import Verdict
from mcptest.probes.talk import Seen, Talk

TAXONOMY = "FAULT-PROTO-MALFORMED-MESSAGE"
SCOPE = Scope.SERVER
BROKEN = b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"mcptest": '


async def converse(talk: Talk) -> Seen:
    what = "a message that breaks off"
    if talk.is_http:
        return talk.seen(await talk.post(BROKEN), what, method="")
    before = len(talk.visits.heard)
    lost = await talk.utter(BROKEN)
    if lost is None:
        # Messages are read in their order: with the answer to this one all that the broken one led to has come.
        reply = await talk.ask(*talk.visits.good_request)
        lost = reply.lost
        if reply.is_silence:
            return Seen(Verdict.HUNG, f"{what}: afterwards nothing is answered within {reply.waited:g} s")
    if lost is not None:
        return Seen(Verdict.CRASHED, f"{what}: {lost}")
    heard = talk.visits.heard[before:]
    if any(b'"result"' in one.data for one in heard):
        return Seen(Verdict.ACCEPTED, f"{what}: answered with {quoted(heard[0].data)}")
    return Seen(Verdict.PASSED, f"{what}: " + (quoted(heard[0].data) if heard else "not answered, and survived"))
