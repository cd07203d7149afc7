"""A client looks for the resource's metadata where the challenge says, else at the path's address, else at the root's.

Only the first request for it after a 401 is judged: to stop at the first success, to know the metadata already or to
look for it before any 401 is fine.
"""

from collections.abc import Iterator

from mcptest.compliance.kit import Context, History, HttpExchange, Inconclusive, Remarks, inside, sessions
from mcptest.compliance.rules.auth._flow import RESOURCE, challenge, flow_of, parts

ID = "AUTH-009"


def _first_looks(history: History) -> Iterator[HttpExchange]:
    flow = flow_of(history)
    refused = [one for one in flow.challenges if one.status == 401]
    for number, one in enumerate(refused):
        until = refused[number + 1].seq if number + 1 < len(refused) else float("inf")
        look = next((found for found in flow.resources if one.seq < found.seq < until), None)
        if look is not None and not look.synthetic:
            yield look


ON = inside(sessions, _first_looks, "discoveries")


def check(look: HttpExchange, context: Context) -> Remarks:
    flow = flow_of(context.history)
    refused = next(one for one in reversed(flow.challenges) if one.status == 401 and one.seq < look.seq)
    told = challenge(refused).get("resource_metadata")
    if told is not None:
        # The host is left out: whoever records may stand under another name than the server.
        if parts(told).path != look.path.rstrip("/"):
            yield f"The challenge names {told[:200]!r}, and the client asks for {look.path[:200]!r} first"
        return
    path = refused.path.rstrip("/")
    if path and look.path.rstrip("/") == RESOURCE:
        if not context.history.began:
            raise Inconclusive("the capture does not have the beginning of the session")
        yield f"The root's metadata is asked for before {RESOURCE}{path[:100]}"
