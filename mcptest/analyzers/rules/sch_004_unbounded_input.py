"""String property has no maxLength, or array property no maxItems.

Input of any size reaches the server, which then has to hold it, parse it and perhaps store it.
Set the greatest length that makes sense. A string closed by `enum`, `const`, a format of limited length (`date`,
`uuid`, `ipv4`, …) or an anchored pattern without open repetition is bounded already.
"""

from collections.abc import Iterator

from mcptest.analyzers.facts import ARRAY, STRING
from mcptest.analyzers.outline import outline, within
from mcptest.analyzers.prose import shown
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SCH-004"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    view = outline(tool)
    for part in view.properties():
        kinds = view.unbounded(part.schema)
        if not kinds or not view.constrained(part.schema):
            continue
        name = shown(part.name or "")
        if kinds & STRING:
            yield Remark(f"string property {name} has no maxLength: input size is unbounded", within(part))
        if kinds & ARRAY:
            yield Remark(f"array property {name} has no maxItems: input size is unbounded", within(part))
