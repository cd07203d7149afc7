"""Each request says in `_meta` its version and what its client can do.

Judged on requests of the stateless era: those that name a version, those whose method exists only there, and all others
of a session over stdio that has had such requests and no handshake. A ping is left to PING-004.
"""

from mcptest.compliance.kit import CLIENT, Context, Inconclusive, Message, Remarks, a, pointer, remark, requests
from mcptest.compliance.rules.proto._parts import claimed, shakes_hands
from mcptest.protocol import CLIENT_CAPABILITIES, HANDSHAKE_REVISIONS, PROTOCOL_VERSION, methods_of

ID = "PROTO-030"
ON = requests().of(CLIENT)
_OLDER = frozenset().union(*(methods_of(revision, "request", CLIENT) for revision in HANDSHAKE_REVISIONS))


def applies(message: Message) -> bool:
    if not message.modern or message.method in ("initialize", "ping"):
        return False
    return message.method not in _OLDER or not shakes_hands(claimed(message))


def check(message: Message, context: Context) -> Remarks:
    if claimed(message) is None and message.method in _OLDER:
        # A handshake that was not captured may have made it a request of an older revision.
        context.rely_on_past()
        if context.history.transport != "stdio":
            raise Inconclusive("the request may belong to another client, of the older era")
    for key, kind, wanted in ((PROTOCOL_VERSION, str, "a string"), (CLIENT_CAPABILITIES, dict, "an object")):
        if key not in message.meta:
            yield remark(f"The request {message.name[:80]} has no {key}", "/params")
        elif type(message.meta[key]) is not kind:
            yield remark(f"{key} is {a(message.meta[key])}, not {wanted}", pointer("params", "_meta", key))
