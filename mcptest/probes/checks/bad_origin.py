"""Sends a good request that a foreign web page could have sent.

Over HTTP a server must look at `Origin`, else any page in a user's browser could talk to a server on the user's machine
(DNS rebinding). It must refuse: with 403 since 2025-11-25, with any error status before.
"""

import orjson

from mcptest.probes.check import Scope
from mcptest.probes.subject import Skip
from mcptest.probes.talk import Seen, Talk

TAXONOMY = "FAULT-TRANSPORT-ORIGIN"
SCOPE = Scope.SERVER
ORIGIN = "http://mcptest.invalid"


async def converse(talk: Talk) -> Seen:
    if not talk.is_http:
        raise Skip("only requests over HTTP have an origin")
    method, params = talk.visits.good_request
    message = talk.client.request(method, params)
    reply = await talk.post(orjson.dumps(message), message, extra=(("Origin", ORIGIN),))
    return talk.seen(reply, f"{method} from the origin {ORIGIN}", method="")
