"""No more is acknowledged than was asked for.

A resource that was spelt otherwise is only mentioned. That a server agrees to tell of changes which it did not declare
to tell of is warned about.
"""

from typing import Any

from mcptest.compliance.kit import (
    SERVER,
    Capabilities,
    Context,
    Message,
    Remarks,
    info,
    notifications,
    pointer,
    remark,
    warning,
)
from mcptest.compliance.rules._uris import key as spelling
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import ACKNOWLEDGED, wants

ID = "SUB-003"
ON = notifications(ACKNOWLEDGED).of(SERVER)._replace(noun="acknowledgements")
EXPECT = {"capabilities"}
MEMORY, WATCH, watch = _listens.MEMORY, _listens.WATCH, _listens.watch


def applies(message: Message, context: Context) -> bool:
    return bool(context.memory.named_by(message))


def check(message: Message, context: Context) -> Remarks:
    declared = message.server_capabilities
    # Of several requests with this id the newest is meant: an id may be used again when its request is over.
    wanted = context.memory.named_by(message)[-1].wanted
    for key, value in wants(message).items():
        at = pointer("params", "notifications", key)
        yield from _unwanted(key, value, wanted.get(key), at)
        path = context.expect["capabilities"].get(key)
        if value and value is not False and path is not None and _undeclared(declared, path):
            yield warning(f"The server agrees to {key} and does not declare {path}", at)


def _unwanted(key: str, granted: Any, wanted: Any, at: str) -> Remarks:
    if granted is True and wanted is not True:
        yield remark(f"{key[:80]} is acknowledged and was not asked for", at)
    if type(granted) is not list:
        return
    known = [one for one in wanted if type(one) is str] if type(wanted) is list else []
    for one in granted:
        if type(one) is str and one not in known:
            alike = key == "resourceSubscriptions" and spelling(one) in map(spelling, known)
            say = info if alike else remark
            yield say(f"{one[:80]!r} is acknowledged and was not asked for" + (" in this spelling" * alike), at)


def _undeclared(declared: Capabilities | None, path: str) -> bool:
    return declared is not None and not declared.declares(*path.split("."))
