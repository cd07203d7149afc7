"""Schema is too large or nested too deeply to be checked in full.

Clients hand the schema to a model with every request, and validators give up on it.
Split the tool, or describe the data in a resource. The other schema rules judge what is within the budget and are
inconclusive beyond it.
"""

from collections.abc import Iterator

from mcptest.analyzers.outline import outline
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SCH-005"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    over = outline(tool).over
    if over:
        yield Remark(over, "/inputSchema")
