"""Prefixes that belong to MCP are used for its own keys only.

A key of another revision, or one that an extension of MCP may have brought, is mentioned. `expect.reserved` says which
prefixes are reserved: with `mcp` or `modelcontextprotocol` as any label but the last (`before the last label`) or as
the second one (`second label`). `expect.keys` are the keys that the revision defines.
"""

from functools import lru_cache

from mcptest.compliance.kit import Context, Part, Remarks, info, pointer, remark
from mcptest.compliance.rules.meta._keys import MANY, any_prefix, labels_of
from mcptest.compliance.rules.meta._places import metas
from mcptest.protocol import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    PROTOCOL_VERSION,
    SERVER_INFO,
    SUBSCRIPTION_ID,
)

ID = "META-002"
ON = metas
EXPECT = {"reserved", "keys"}
_OURS = ("mcp", "modelcontextprotocol")
_OFFICIAL = "io.modelcontextprotocol/"
_SOMEWHERE = {
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    PROTOCOL_VERSION,
    SERVER_INFO,
    SUBSCRIPTION_ID,
    _OFFICIAL + "related-task",
    _OFFICIAL + "model-immediate-response",
}


@lru_cache(MANY)
def _reserved(keys: tuple[str, ...], how: str) -> tuple[str, ...]:
    """The keys whose prefix is reserved."""
    return tuple(key for key in keys if _is_reserved(key, how))


def _is_reserved(key: str, how: str) -> bool:
    labels = labels_of(key)
    return not set(_OURS).isdisjoint(labels[:-1] if how == "before the last label" else labels[1:2])


def applies(part: Part) -> bool:
    return any_prefix(tuple(part.members))


def check(part: Part, context: Context) -> Remarks:
    reserved, keys = context.expect["reserved"], context.expect["keys"]
    for key in _reserved(tuple(part.members), reserved):
        if key in keys:
            continue
        if key in _SOMEWHERE:
            yield info(f"{key} is a key of another revision", pointer(key))
        elif key.startswith(_OFFICIAL) and _extended(part):
            yield info(f"{key[:80]} is in no revision; it may belong to an extension", pointer(key))
        else:
            yield remark(f"The prefix of {key[:80]!r} belongs to MCP, which has no such key", pointer(key))


def _extended(part: Part) -> bool:
    """Did a side declare an extension of MCP?"""
    for side in ("client", "server"):
        declared = part.message.capabilities(side)
        extensions = None if declared is None else declared.get("extensions")
        if type(extensions) is dict and any(name.startswith(_OFFICIAL) for name in extensions):
            return True
    return False
