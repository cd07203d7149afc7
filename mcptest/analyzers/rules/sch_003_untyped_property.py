"""Property declares neither type nor enum.

Any value is accepted: a number, a list, a whole document. What the server then does with it is left to chance.
Give the property a `type`, an `enum` or a `const`; a `$ref` to a schema that has one, and a combinator whose branches
all have one, are as good.
"""

from collections.abc import Iterator

from mcptest.analyzers.outline import outline, within
from mcptest.analyzers.prose import shown
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SCH-003"
SEVERITY = Severity.CRITICAL
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    view = outline(tool)
    for part in view.properties():
        if not view.constrained(part.schema):
            name = shown(part.name or "")
            yield Remark(f"property {name} declares neither type nor enum: any value is accepted", within(part))
