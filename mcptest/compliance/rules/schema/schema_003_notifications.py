"""Notifications have the shape that their revision gives them.

Judged by the message's own revision, whatever the session is pinned to. Not judged: methods that the revision does not
define, params that are no object (JSONRPC-004), and versions that are not known here.
"""

from mcptest.compliance import shapes
from mcptest.compliance.kit import Context, Message, Remarks, notifications
from mcptest.compliance.rules.schema._shapes import misfits, of_known_version, of_this_era

ID = "SCHEMA-003"
ON = notifications()


def applies(message: Message, context: Context) -> bool:
    assert message.body is not None
    if type(message.body.get("params", {})) is not dict or not of_known_version(message):
        return False
    if not of_this_era(message, context):
        return False
    return shapes.knows(message.revision, message.sender, message.name, shapes.NOTIFICATION)


def check(message: Message) -> Remarks:
    yield from misfits(message, message.name, shapes.NOTIFICATION)
