"""A listening client is told only what it asked for, and what the server acknowledged.

What was not asked for breaks the rule; what was asked for and not acknowledged, and a resource that is neither one of
those listened for nor below one, is warned about. Tasks are for TASKS-112.
"""

from typing import Any

from mcptest.compliance.kit import Context, Message, Remark, Remarks, modern_server, remark, warning
from mcptest.compliance.rules._uris import covered
from mcptest.compliance.rules._uris import key as spelling
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import CHANGES, FLAGS, Listen, without_handshake

ID = "SUB-005"
ON = CHANGES
MEMORY, WATCH, watch = _listens.MEMORY, _listens.WATCH, _listens.watch
PROVIDED = modern_server


def applies(message: Message, context: Context) -> bool:
    return without_handshake(message) and any(listen.open_at(message) for listen in context.memory.named_by(message))


def check(message: Message, context: Context) -> Remarks:
    found = [_fault(message, listen) for listen in context.memory.named_by(message) if listen.open_at(message)]
    fault = found[-1]
    if fault is not None and all(found):
        yield fault


def _fault(message: Message, listen: Listen) -> Remark | None:
    flag = FLAGS.get(message.name, "resourceSubscriptions")
    wanted, granted = listen.wanted.get(flag), (listen.granted or {}).get(flag)
    if flag != "resourceSubscriptions":
        if wanted is not True:
            return remark(f"The client did not ask for {flag}", "/method")
        if listen.granted is not None and granted is not True:
            return warning(f"{flag} was not acknowledged", "/method")
        return None
    if type(wanted) is not list or not wanted:
        return remark("The client did not ask for any resources", "/method")
    if listen.granted is not None and not granted:
        return warning(f"{flag} was not acknowledged", "/method")
    uri = message.params.get("uri")
    if type(uri) is str and not covered(uri, _keys(wanted)):
        return warning(f"The client did not ask for {uri[:80]!r}", "/params/uri")
    return None


def _keys(uris: list[Any]) -> set[str]:
    return {spelling(uri) for uri in uris if type(uri) is str}
