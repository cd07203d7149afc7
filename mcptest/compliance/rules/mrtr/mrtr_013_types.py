"""`requestState` is a string, `inputRequests` and `inputResponses` are objects.

Null counts as something else. The server is judged on results that ask for input, the client on its requests.
"""

from mcptest.compliance.kit import Exchange, Message, Remarks, a, remark
from mcptest.compliance.rules._asks import ASKING
from mcptest.compliance.rules.mrtr._retries import BRINGING, PAUSED, REQUESTS, RESPONSES, STATE

ID = "MRTR-013"
ON = (PAUSED._replace(noun="requests for input and retries"), BRINGING)


def applies(subject: Exchange | Message) -> bool:
    if isinstance(subject, Exchange):
        return STATE in subject.result or REQUESTS in subject.result
    return subject.method in (*ASKING, "tasks/update")


def check(subject: Exchange | Message) -> Remarks:
    if isinstance(subject, Exchange):
        members, where, objects = subject.result, "result", REQUESTS
    else:
        members, where, objects = subject.params, "params", RESPONSES
    if STATE in members and type(members[STATE]) is not str:
        yield remark(f"{STATE} is {a(members[STATE])}, not a string", f"/{where}/{STATE}")
    if objects in members and type(members[objects]) is not dict:
        yield remark(f"{objects} is {a(members[objects])}, not an object", f"/{where}/{objects}")
