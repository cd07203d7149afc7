"""A request about a resource names it by its URI.

`uri` is a string; one without a scheme is warned about.
"""

from mcptest.compliance.kit import CLIENT, Message, Remarks, a, remark, requests, warning
from mcptest.compliance.rules._uris import SCHEME

ID = "RES-018"
ON = requests("resources/read", "resources/subscribe", "resources/unsubscribe").of(CLIENT)


def check(message: Message) -> Remarks:
    uri = message.params.get("uri")
    if "uri" not in message.params:
        yield remark("The request names no uri", "/params" if message.params else "")
    elif type(uri) is not str:
        yield remark(f"uri is {a(uri)}, not a string", "/params/uri")
    elif not SCHEME.match(uri):
        yield warning(f"The URI {uri[:80]!r} has no scheme", "/params/uri")
