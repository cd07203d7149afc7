"""An update names its resource, and goes to somebody who subscribed to it.

`uri` is a string. It is, or lies below, a URI that was subscribed to. In sessions with a handshake an update that
nobody asked for is warned about. In the stateless era it breaks the rule if nobody listens for resources at all, and
is warned about if those who do want others: only the server knows what belongs to what. What was cancelled just before
still counts.
"""

from mcptest.compliance.kit import Context, Message, Remarks, a, remark, warning
from mcptest.compliance.rules._uris import covered
from mcptest.compliance.rules.res._subscriptions import SUBSCRIBING, UPDATED, Subscribed, listened_for

ID = "RES-010"
ON = UPDATED._replace(noun="updates")
MEMORY, WATCH = Subscribed, SUBSCRIBING


def watch(request: Message, context: Context) -> None:
    context.memory.note(request)


def check(message: Message, context: Context) -> Remarks:
    uri = message.params.get("uri")
    if type(uri) is not str:
        said = f"uri is {a(uri)}, not a string" if "uri" in message.params else "The update has no uri"
        yield remark(said, "/params" if message.params else "")
        return
    if not message.modern:
        if not covered(uri, context.memory.keys):
            context.rely_on_past()
            yield warning(f"Nobody subscribed to {uri[:80]!r}", "/params/uri")
        return
    listeners = context.memory.listeners(message, context)
    if not listeners:
        context.rely_on_past()
        yield remark("An update was sent, but nobody listens for resources")
    elif not listened_for(listeners, uri):
        context.rely_on_past()
        yield warning(f"Nobody listens for {uri[:80]!r}", "/params/uri")
