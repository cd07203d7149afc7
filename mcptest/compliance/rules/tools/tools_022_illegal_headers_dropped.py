"""Over HTTP a client leaves tools alone whose `x-mcp-header` is illegal.

Judged on calls of tools that have such annotations, sent well after the tool was listed. What is illegal is for
TOOLS-021; what that only warns about is not judged here.
"""

from mcptest.compliance.kit import CLIENT, Message, Remarks, later, remark, requests
from mcptest.compliance.rules.tools._headers import faults, mirrored

ID = "TOOLS-022"
ON = requests("tools/call").of(CLIENT)._replace(noun="calls of tools with headers")


def applies(message: Message) -> bool:
    tool = message.known.tools.get(message.params.get("name"))
    return tool is not None and later(tool.message, message) and any(mirrored(tool.members.get("inputSchema")))


def check(message: Message) -> Remarks:
    tool = message.known.tools.get(message.params["name"])
    assert tool is not None
    for fault in faults(tool.members["inputSchema"]):
        if fault.grave:
            yield remark(
                f"The client calls {tool.name[:80]!r}, whose headers are illegal: {fault.text}", "/params/name"
            )
            return
