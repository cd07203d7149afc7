"""`includeContext` is left out, or none.

`thisServer` and `allServers` go with the rest of sampling; whether a client can give them at all is for SAMPLE-006.
"""

from mcptest.compliance.kit import Part, Remarks, remark
from mcptest.compliance.rules.sample._messages import ASKED

ID = "DEPR-005"
ON = ASKED


def check(question: Part) -> Remarks:
    if question.members.get("includeContext") in ("thisServer", "allServers"):
        yield remark(f"includeContext is {question.members['includeContext']}, which is deprecated", "/includeContext")
