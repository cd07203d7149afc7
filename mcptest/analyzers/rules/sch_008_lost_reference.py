"""Reference leads nowhere inside the schema.

A `$ref` to a web address or a file is not followed by careful clients, and one to a definition that does not exist by
none: what it should have constrained is then open.
Put the definition into the schema's own `$defs`.
"""

from collections.abc import Iterator

from mcptest.analyzers.outline import outline, within
from mcptest.analyzers.prose import shown
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SCH-008"
SEVERITY = Severity.ERROR
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    for part, ref in outline(tool).lost_references():
        yield Remark(f"$ref leads nowhere inside the schema: {shown(ref)}", within(part))
