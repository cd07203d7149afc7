"""A client that goes on after another version was offered than it asked for speaks that version.

Judged on sessions in which the server answered `initialize` with another published version. Whoever cannot speak it
ends the connection; who stays must not use methods that this version does not have.
"""

from mcptest.compliance.kit import CLIENT, Context, History, Message, Remarks, calls, remark, sessions
from mcptest.compliance.rules.proto._parts import shakes_hands
from mcptest.protocol import CORE_METHODS, methods_of

ID = "PROTO-009"
ON = sessions._replace(noun="counter-offers")
WATCH = calls.of(CLIENT)
MEMORY = list[Message]
_MOST = 100


def watch(message: Message, context: Context) -> None:
    known = message.known
    if known.negotiated is None or known.negotiated == known.requested or message.modern or message.synthetic:
        return
    if shakes_hands(known.negotiated) and _is_foreign(message) and len(context.memory) < _MOST:
        context.memory.append(message)


def _is_foreign(message: Message) -> bool:
    """Is it in the specification, but not in the version that was agreed on? Not if it may be an experiment."""
    method, version = message.name, message.known.negotiated
    if version is None or method not in CORE_METHODS or method in methods_of(version, message.kind, CLIENT):
        return False
    declared = (message.known.client, message.known.server)
    return not any(side and (side.get("experimental") or side.get("extensions")) for side in declared)


def applies(history: History) -> bool:
    known = history.known
    return known.requested is not None and shakes_hands(known.negotiated) and known.requested != known.negotiated


def check(history: History, context: Context) -> Remarks:
    for message in context.memory:
        yield remark(
            f"The client uses {message.name}, which is not in {history.known.negotiated} that was agreed on", of=message
        )
