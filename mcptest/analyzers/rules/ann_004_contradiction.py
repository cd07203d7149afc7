"""Annotations contradict each other.

`destructiveHint` means something only where `readOnlyHint` is false: a tool cannot change nothing and destroy.
Remove the one that is wrong.
"""

from collections.abc import Iterator

from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "ANN-004"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    given = tool.annotations
    if isinstance(given, dict) and given.get("readOnlyHint") is True and given.get("destructiveHint") is True:
        yield Remark("readOnlyHint and destructiveHint are both true", "/annotations/destructiveHint")
