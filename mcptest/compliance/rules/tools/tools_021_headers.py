"""`x-mcp-header` is used as it may be.

Its value is a name that HTTP allows in a header, and no other property of the tool has the same, whatever the case. It
stands on a property of type integer, string or boolean that is reached from the root through `properties` alone. A
property without a type, or with several, is warned about.
"""

from mcptest.compliance.kit import Part, Remarks, remark, tools, warning
from mcptest.compliance.rules.tools._headers import faults, mirrored

ID = "TOOLS-021"
ON = tools


def applies(tool: Part) -> bool:
    return any(mirrored(tool.members.get("inputSchema")))


def check(tool: Part) -> Remarks:
    for fault in faults(tool.members["inputSchema"]):
        yield (remark if fault.grave else warning)(fault.text, "/inputSchema" + fault.at)
