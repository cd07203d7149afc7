"""Object composed of several pieces accepts properties that none of them declares.

`additionalProperties` looks only at the properties beside it, so no piece of an `allOf` or of a base with
alternatives can close the object without refusing what the other pieces declare.
Set `"unevaluatedProperties": false` on the object that holds the pieces, or write the alternatives out in full.
"""

from collections.abc import Iterator

from mcptest.analyzers.outline import outline, within
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SCH-007"
SEVERITY = Severity.INFO
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    for part in outline(tool).compositions():
        if (
            part.schema.get("unevaluatedProperties") is not False
            and part.schema.get("additionalProperties") is not False
        ):
            yield Remark("the composed object has no unevaluatedProperties: false", within(part))
