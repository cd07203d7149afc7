"""Sends a good request without the session's id, and one with an id that the server never gave.

Only over HTTP, in the era of sessions, and only if the server gave an id. A request without one should be refused with
400 by a server that needs it; not to need it is allowed. A foreign id must be refused.
"""

import orjson

from mcptest.probes.answers import refused
from mcptest.probes.check import Scope
from mcptest.probes.subject import Skip
from mcptest.probes.talk import Seen, Talk, worst
from mcptest.transport.headers import SESSION

TAXONOMY = "FAULT-TRANSPORT-SESSION"
SCOPE = Scope.SERVER
FOREIGN = "mcptest-no-such-session"


async def converse(talk: Talk) -> Seen:
    if not talk.is_http or talk.client.opening.is_stateless:
        raise Skip("there are sessions over HTTP only, and none since 2026-07-28")
    if getattr(talk.client.peer.connection, "session", None) is None:
        raise Skip("the server gave no session id")
    method, params = talk.visits.good_request
    message = talk.client.request(method, params)
    without = await talk.post(orjson.dumps(message), message, without=(SESSION,))
    if without.body is not None and not refused(without.body):
        raise Skip("the server does not need the session id that it gives")
    message = talk.client.request(method, params)
    foreign = await talk.post(orjson.dumps(message), message, without=(SESSION,), extra=((SESSION, FOREIGN),))
    return worst(
        [
            talk.seen(foreign, f"{method} with a foreign session id", method=""),
            talk.seen(without, f"{method} without the session id", method=""),
        ]
    )
