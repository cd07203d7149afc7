"""Tools are given only to clients that declared `sampling.tools`.

A choice without tools, or an empty list of them, is warned about. Not judged where sampling was not declared at all:
that is SAMPLE-001.
"""

from mcptest.compliance.kit import Part, Remarks, remark, warning
from mcptest.compliance.rules._asks import called, declared
from mcptest.compliance.rules.sample._messages import ASKED

ID = "SAMPLE-007"
ON = called("sampling requests with tools", ASKED)


def applies(question: Part) -> bool:
    return bool(question.members.keys() & {"tools", "toolChoice"}) and declared(question, "sampling") is True


def check(question: Part) -> Remarks:
    if not declared(question, "sampling", "tools"):
        key = "tools" if question.members.get("tools") else "toolChoice"
        say = remark if key == "tools" else warning
        yield say("The client did not declare sampling.tools", f"/{key}" if key in question.members else "/tools")
