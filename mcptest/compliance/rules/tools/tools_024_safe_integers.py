"""Integers that are repeated in headers stay between -(2^53-1) and 2^53-1.

Beyond that two parties may read different numbers. Judged on the arguments of calls whose tool was listed with
`x-mcp-header`.
"""

from typing import Any

from mcptest.compliance.kit import CLIENT, Message, Remarks, pointer, remark, requests
from mcptest.compliance.rules.tools._headers import mirrored

ID = "TOOLS-024"
ON = requests("tools/call").of(CLIENT)._replace(noun="calls of tools with headers")
_LARGEST = 2**53 - 1


def applies(message: Message) -> bool:
    tool = message.known.tools.get(message.params.get("name"))
    return tool is not None and any(mirrored(tool.members.get("inputSchema")))


def check(message: Message) -> Remarks:
    tool = message.known.tools.get(message.params["name"])
    assert tool is not None
    for found in mirrored(tool.members["inputSchema"]):
        value: Any = message.params.get("arguments")
        for name in found.path:
            value = value.get(name) if type(value) is dict else None
        # Whole numbers of more than 64 bits are read as floats.
        if type(value) in (int, float) and found.reachable and abs(value) > _LARGEST:
            at = pointer("params", "arguments", *found.path)
            yield remark(f"The argument {found.path[-1][:80]!r} is larger than a header may carry", at)
