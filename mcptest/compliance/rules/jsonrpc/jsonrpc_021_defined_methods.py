"""Only methods that the revision defines are used, and only by the side that may use them.

A method that no revision of the core specification knows is somebody's own and only mentioned, unless an extension or
an experimental feature is declared that it may belong to. Messages from before a version was agreed on are not
judged, nor are requests of a server in the stateless era (JSONRPC-020) and notifications with an id (JSONRPC-009).
"""

from mcptest.compliance.kit import SERVER, Context, Message, Remarks, calls, info, remark
from mcptest.protocol import CORE_METHODS, methods_of

ID = "JSONRPC-021"
ON = calls


def applies(message: Message) -> bool:
    if message.modern:
        if message.sender == SERVER and message.kind == "request":
            return False
    elif message.known.negotiated is None:
        return False
    return not (message.kind == "request" and message.name.startswith("notifications/"))


def check(message: Message, context: Context) -> Remarks:
    method = message.name
    if method in methods_of(context.revision, message.kind, message.sender):
        return
    if method in CORE_METHODS and not (
        method.removeprefix("notifications/").startswith("tasks") and _extended(message)
    ):
        yield remark(f"{context.revision} does not define the {message.kind} {method} of a {message.sender}", "/method")
    elif method not in CORE_METHODS and not _extended(message):
        yield info(f"The {message.kind} {method[:80]!r} is in no revision of the specification", "/method")


def _extended(message: Message) -> bool:
    """Is something declared, by either side, that may bring methods of its own?"""
    for side in ("client", "server"):
        declared = message.capabilities(side)
        if declared is not None and (declared.get("experimental") or declared.get("extensions")):
            return True
    return False
