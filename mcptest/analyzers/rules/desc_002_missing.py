"""Tool has no description.

A model chooses tools by their descriptions; without one it has only the name.
Give each tool one sentence saying what it does and when to use it.
"""

from collections.abc import Iterator

from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "DESC-002"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    if not (tool.description or "").strip():
        yield Remark("the tool has no description")
