"""Subscriptions are used only where the server offers them, and are answered with an empty result.

The client may subscribe and unsubscribe if the server declared `resources.subscribe`; a server that did knows the
methods. Members of the result are mentioned; errors for a URI are fine. Not judged where the capture does not have
what the server declared.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Exchange, Message, Remarks, answers, info, remark, requests
from mcptest.protocol import errors

ID = "RES-009"
_METHODS = ("resources/subscribe", "resources/unsubscribe")
ON = (requests(*_METHODS).of(CLIENT)._replace(noun="requests and answers"), answers(*_METHODS).of(SERVER))


def applies(subject: Message | Exchange) -> bool:
    declared = subject.place.server_capabilities
    return declared is not None and (isinstance(subject, Message) or declared.declares("resources", "subscribe"))


def check(subject: Message | Exchange) -> Remarks:
    declared = subject.place.server_capabilities
    assert declared is not None
    if isinstance(subject, Message):
        if not declared.declares("resources", "subscribe"):
            yield remark(f"{subject.method} is used, but the server does not declare resources.subscribe", "/method")
    elif subject.code == errors.METHOD_NOT_FOUND:
        yield remark(f"The server declares resources.subscribe, but does not know {subject.method}", "/error/code")
    elif extra := subject.result.keys() - {"_meta", "resultType"}:
        yield info(f"The result should be empty, but has {min(extra)[:80]!r}", "/result")
