"""`includeContext` is none, thisServer or allServers.

`expect.declared` says whether the latter two are only for clients that declared `sampling.context`: then they are
warned about elsewhere, unless it is not known what the client declared.
"""

from mcptest.compliance.kit import Context, Part, Remarks, remark, warning
from mcptest.compliance.rules._asks import called, declared
from mcptest.compliance.rules.sample._messages import ASKED

ID = "SAMPLE-006"
ON = called("sampling requests with includeContext", ASKED)
EXPECT = {"declared"}


def applies(question: Part) -> bool:
    return "includeContext" in question.members


def check(question: Part, context: Context) -> Remarks:
    value = question.members["includeContext"]
    if value not in ("none", "thisServer", "allServers"):
        yield remark("includeContext is none of none, thisServer and allServers", "/includeContext")
    elif value != "none" and context.expect["declared"] and declared(question, "sampling", "context") is False:
        yield warning(f"includeContext is {value}, and the client did not declare sampling.context", "/includeContext")
