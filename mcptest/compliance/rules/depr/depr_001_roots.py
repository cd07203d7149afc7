"""Roots are not asked for any more.

They are deprecated since 2026-07-28, and still allowed: asking for them is warned about, and declaring them mentioned.
"""

from mcptest.compliance.kit import Context, Part, Remarks, info, remark
from mcptest.compliance.rules.depr._declared import ASKED, CLIENT_DECLARES, Once, declares

ID = "DEPR-001"
ON = (CLIENT_DECLARES, ASKED)
MEMORY = Once


def applies(part: Part, context: Context) -> bool:
    if part.kind == "capabilities":
        return bool(context.memory.is_first(part, "roots"))
    return part.name == "roots/list"


def check(part: Part) -> Remarks:
    if part.kind != "capabilities":
        yield remark("The client is asked for roots/list, which is deprecated")
    elif declares(part.value, "roots"):
        yield info("The client declares roots, which is deprecated", "/roots")
