"""Object accepts properties that it does not declare.

Without `"additionalProperties": false` a misspelt or invented argument is accepted silently, and the call does
something else than its author meant.
Set `additionalProperties` to false. A map, whose values have a schema of their own, is not open in this sense.
"""

from collections.abc import Iterator

from mcptest.analyzers.outline import Outline, outline, within
from mcptest.analyzers.schema import ROOT, Part
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SCH-002"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    view = outline(tool)
    for part in view.objects():
        if is_open(view, part) and not is_free_form(part):
            given = part.schema.get("additionalProperties")
            what = "additionalProperties is not set" if given is None else "additionalProperties accepts anything"
            yield Remark(f"{what}: unexpected fields are accepted silently", within(part))


def is_open(view: Outline, part: Part) -> bool:
    rest = part.schema.get("additionalProperties")
    if part.schema.get("unevaluatedProperties") is False or rest is False:
        return False
    return not isinstance(rest, dict) or not view.constrained(rest)


def is_free_form(part: Part) -> bool:
    """An object that declares no property at all. At the root that is a tool without arguments, unless it says that
    anything goes; elsewhere it is a value of unknown make."""
    if "properties" in part.schema or "patternProperties" in part.schema:
        return False
    return part.role != ROOT or "additionalProperties" in part.schema
