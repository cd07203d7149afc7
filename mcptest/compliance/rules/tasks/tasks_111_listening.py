"""Listening for tasks without declaring the extension is refused with -32021.

Judged on servers that declare it; others ignore what they do not know.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Message, Remarks, notifications, refusals, remark
from mcptest.compliance.rules.sub import _listens
from mcptest.compliance.rules.sub._listens import ACKNOWLEDGED, wants
from mcptest.compliance.rules.tasks._missing import fault, offered, other_reason, undeclared
from mcptest.protocol.methods import LISTEN

ID = "TASKS-111"
ON = (
    refusals(LISTEN).of(SERVER)._replace(noun="requests to listen for tasks without the extension"),
    notifications(ACKNOWLEDGED).of(SERVER),
)
MEMORY, WATCH, watch = _listens.MEMORY, _listens.WATCH, _listens.watch


def applies(subject: Exchange | Message, context: Context) -> bool:
    if isinstance(subject, Exchange):
        return _concerns(subject.request) and not other_reason(subject)
    found = context.memory.named_by(subject)
    return bool(found) and found[-1].acknowledged is subject and _concerns(found[-1].request)


def check(subject: Exchange | Message) -> Remarks:
    if isinstance(subject, Message):
        yield "Listening for tasks is acknowledged, and the request does not declare the extension"
    elif found := fault(subject):
        yield remark(found, "/error")


def _concerns(request: Message) -> bool:
    wanted = wants(request).get("taskIds")
    return type(wanted) is list and bool(wanted) and undeclared(request) and offered(request)
