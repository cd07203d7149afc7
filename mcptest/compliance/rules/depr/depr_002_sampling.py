"""Sampling is not asked for any more.

It is deprecated since 2026-07-28, and still allowed: asking for it is warned about, and declaring it mentioned.
"""

from mcptest.compliance.kit import Context, Part, Remarks, info, remark
from mcptest.compliance.rules.depr._declared import ASKED, CLIENT_DECLARES, Once, declares

ID = "DEPR-002"
ON = (CLIENT_DECLARES, ASKED)
MEMORY = Once


def applies(part: Part, context: Context) -> bool:
    if part.kind == "capabilities":
        return bool(context.memory.is_first(part, "sampling"))
    return part.name == "sampling/createMessage"


def check(part: Part) -> Remarks:
    if part.kind != "capabilities":
        yield remark("The client is asked for sampling/createMessage, which is deprecated")
    elif declares(part.value, "sampling"):
        yield info("The client declares sampling, which is deprecated", "/sampling")
