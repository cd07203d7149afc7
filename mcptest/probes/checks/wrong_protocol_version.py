"""Speaks of a revision that does not exist.

In the era of handshakes the server must offer another revision, or refuse; since 2026-07-28 it must refuse the request
(-32022). To agree to a revision that nobody knows is an acceptance.
"""

from mcptest.probes.answers import said
from mcptest.probes.check import Scope
from mcptest.probes.outcomes import Verdict
from mcptest.probes.talk import Seen, Talk
from mcptest.protocol import methods

TAXONOMY = "FAULT-PROTO-VERSION-NEGOTIATION"
SCOPE = Scope.SERVER
REVISION = "2999-12-31"


async def converse(talk: Talk) -> Seen:
    if talk.client.opening.is_stateless:
        method, params = talk.visits.good_request
        meta = {methods.PROTOCOL_VERSION: REVISION}
        reply = await talk.ask(method, {**(params or {}), "_meta": meta})
        return talk.seen(reply, f"{method} in revision {REVISION}", method=method)
    manner = talk.client.manner
    params = {"protocolVersion": REVISION, "capabilities": manner.capabilities, "clientInfo": manner.client}
    message = {"jsonrpc": "2.0", "id": 1, "method": methods.INITIALIZE, "params": params}
    what = f"initialize with revision {REVISION}"
    async with talk.anew() as fresh:
        reply = await fresh.say(message)
        seen = fresh.seen(reply, what, strict=False, method=methods.INITIALIZE)
    result = (reply.body or {}).get("result")
    if type(result) is dict and not seen.verdict.failed:
        if result.get("protocolVersion") == REVISION:
            return seen._replace(verdict=Verdict.ACCEPTED, evidence=f"{what}: accepted, with {said(reply.body or {})}")
        return seen._replace(evidence=f"{what}: offered {result.get('protocolVersion')!r} instead")
    return seen
