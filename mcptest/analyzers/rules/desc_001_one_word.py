"""Description is one word.

A model chooses among tools by what their descriptions say; one word says no more than the name.
Write one sentence: what the tool does, on what, and when to use it.
"""

from collections.abc import Iterator

from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "DESC-001"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    if tool.description and len(tool.description.split()) == 1:
        yield Remark("the description is one word", "/description")
