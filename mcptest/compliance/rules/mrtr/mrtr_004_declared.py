"""Only what the client declared in that very request is asked of it.

Elicitation in the mode it takes, sampling, with tools only where it takes those, and roots. Not judged where the
request declares nothing that can be read: that is PROTO-030.
"""

from mcptest.compliance.kit import Part, Remarks, remark
from mcptest.compliance.rules._asks import INPUTS, declared
from mcptest.compliance.rules.elicit._forms import undeclared_mode

ID = "MRTR-004"
ON = INPUTS
_NEEDS = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}


def applies(question: Part) -> bool:
    return question.name in _NEEDS and declared(question, _NEEDS[question.name]) is not None


def check(question: Part) -> Remarks:
    capability = _NEEDS[question.name]
    if not declared(question, capability):
        yield f"The client is asked for {question.name}, and its request does not declare {capability}"
    elif capability == "sampling" and question.members.get("tools") and not declared(question, "sampling", "tools"):
        yield remark("The sampling has tools, and the request does not declare sampling.tools", "/tools")
    elif capability == "elicitation" and (mode := undeclared_mode(question)):
        yield remark(f"The elicitation is by {mode}, and the request does not declare that mode", "/mode")
