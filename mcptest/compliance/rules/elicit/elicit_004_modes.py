"""Only modes that the client declared are asked for.

A client that names no mode takes forms. Not judged where elicitation was not declared at all: that is ELICIT-001.
"""

from mcptest.compliance.kit import Part, Remarks, remark
from mcptest.compliance.rules._asks import declared
from mcptest.compliance.rules.elicit._forms import ASKED, undeclared_mode

ID = "ELICIT-004"
ON = ASKED


def applies(question: Part) -> bool:
    return bool(declared(question, "elicitation")) and question.members.get("mode", "form") in ("form", "url")


def check(question: Part) -> Remarks:
    mode = undeclared_mode(question)
    if mode is not None:
        yield remark(f"The client did not declare elicitation by {mode}", "/mode" if "mode" in question.members else "")
