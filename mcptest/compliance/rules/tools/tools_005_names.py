"""A tool's name has up to 128 characters, letters, digits, underscores, hyphens and dots.

`expect.longest` is how many characters a name may have.
"""

import re

from mcptest.compliance.kit import Context, Part, Remarks, remark, tools

ID = "TOOLS-005"
ON = tools
EXPECT = {"longest"}
_NAME = re.compile(r"[A-Za-z0-9_.-]*", re.ASCII)


def applies(tool: Part) -> bool:
    return type(tool.members.get("name")) is str


def check(tool: Part, context: Context) -> Remarks:
    name: str = tool.members["name"]
    longest = context.expect["longest"]
    if not name:
        yield remark("The tool's name is empty", "/name")
    elif len(name) > longest:
        yield remark(f"The tool's name has {len(name)} characters, more than {longest}", "/name")
    if not _NAME.fullmatch(name):
        odd = next(char for char in name if not _NAME.fullmatch(char))
        yield remark(f"The tool's name {name[:80]!r} has the character {odd!r}", "/name")
