"""Object declares properties but no required list.

The server cannot rely on any argument being present, and a model cannot tell which ones matter.
List the properties that every call needs in `required`. An object whose properties all have a default needs none, and
one whose combinators say what is required (`anyOf: [{"required": …}, …]`) has said it.
"""

from collections.abc import Iterator

from mcptest.analyzers.outline import Outline, outline, within
from mcptest.analyzers.schema import Part
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SCH-001"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    view = outline(tool)
    for part in view.objects():
        if lacks_required(view, part):
            yield Remark("the object declares properties but no required list", within(part))


def lacks_required(view: Outline, part: Part) -> bool:
    properties = part.schema.get("properties")
    if not isinstance(properties, dict) or not properties or part.schema.get("required"):
        return False
    if all(isinstance(value, dict) and "default" in value for value in properties.values()):
        return False
    return not view.requires_in_pieces(part.schema)
