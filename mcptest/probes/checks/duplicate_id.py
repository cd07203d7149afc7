"""Sends two requests with one id at the same time.

A client must not do that, and a server may refuse it. It must answer at least one of them, at most both, and live on.
"""

import orjson

from mcptest.probes.check import Scope
from mcptest.probes.outcomes import Verdict
from mcptest.probes.talk import Seen, Talk

TAXONOMY = "FAULT-PROTO-DUPLICATE-ID"
SCOPE = Scope.SERVER


async def converse(talk: Talk) -> Seen:
    method, params = talk.visits.good_request
    message = talk.client.request(method, params)
    before = len(talk.visits.heard)
    lost = await talk.utter(orjson.dumps(message), message)
    what = f"two {method} with one id"
    if lost is not None:
        return Seen(Verdict.CRASHED, f"{what}: {lost}")
    seen = talk.seen(await talk.say(message), what, strict=False, method=method)
    await talk.ask(method, params)
    more = sum(one.id == message["id"] for one in talk.visits.heard[before:])
    if more > 1 and not seen.verdict.failed:
        return seen._replace(verdict=Verdict.VIOLATED, evidence=f"{what}: answered {more + 1} times")
    return seen
