"""The URI of a resource is one by RFC 3986.

It starts with a scheme. Characters that no URI may have (spaces, quotes, what is not ASCII, a percent sign without two
digits) are warned about; in a server's own schemes they break the rule where `expect.own_schemes` is `strict`.
"""

import re

from mcptest.compliance.kit import Context, Part, Remarks, remark, resources, warning
from mcptest.compliance.rules._uris import SCHEME

ID = "RES-003"
ON = resources
EXPECT = {"own_schemes"}
_STANDARD = ("http", "https", "file", "git")
_ILLEGAL = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")


def applies(resource: Part) -> bool:
    return type(resource.members.get("uri")) is str and not resource.message.redacted


def check(resource: Part, context: Context) -> Remarks:
    uri: str = resource.members["uri"]
    scheme = SCHEME.match(uri)
    if scheme is None:
        yield remark(f"The URI {uri[:80]!r} has no scheme", "/uri")
        return
    illegal = _ILLEGAL.search(uri)
    if illegal:
        own = scheme[0][:-1].lower() not in _STANDARD
        say = remark if own and context.expect["own_schemes"] == "strict" else warning
        yield say(f"The URI {uri[:80]!r} has {illegal[0]!r}, which no URI may have", "/uri")
