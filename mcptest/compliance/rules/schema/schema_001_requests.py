"""Requests have the shape that their revision gives them.

Judged by the message's own revision, whatever the session is pinned to; members that the revision does not know are
welcome. Not judged: methods that the revision does not define, params that are no object (JSONRPC-004), versions that
are not known here, and requests that leave out their version (PROTO-030).
"""

from mcptest.compliance import shapes
from mcptest.compliance.kit import Message, Remarks, requests
from mcptest.compliance.rules.schema._shapes import misfits, of_known_version

ID = "SCHEMA-001"
ON = requests()


def applies(message: Message) -> bool:
    assert message.body is not None
    if type(message.body.get("params", {})) is not dict or not of_known_version(message):
        return False
    return shapes.knows(message.revision, message.sender, message.name, shapes.REQUEST)


def check(message: Message) -> Remarks:
    yield from misfits(message, message.name, shapes.REQUEST)
