"""Secrets are not marked to be repeated in headers, where everything on the way can read them.

Goes by the names of the properties that carry `x-mcp-header`.
"""

import re

from mcptest.compliance.kit import Part, Remarks, remark, tools
from mcptest.compliance.rules.tools._headers import KEY, mirrored

ID = "TOOLS-023"
ON = tools
_SECRET = re.compile(r"passw(or)?d|passphrase|secret|token|api[_-]?key|private[_-]?key|credential|ssn", re.IGNORECASE)


def applies(tool: Part) -> bool:
    return any(mirrored(tool.members.get("inputSchema")))


def check(tool: Part) -> Remarks:
    for found in mirrored(tool.members["inputSchema"]):
        name = found.path[-1] if found.path else ""
        if _SECRET.search(name):
            text = f"The argument {name[:80]!r} looks like a secret, and is to be repeated in a header"
            yield remark(text, f"/inputSchema{found.at}/{KEY}")
