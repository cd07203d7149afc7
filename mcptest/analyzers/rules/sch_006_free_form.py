"""Value is free-form: an object without properties, or an array without a type for its items.

Neither a model nor the server can tell what belongs in it.
Declare the object's `properties`, or the type of its values in `additionalProperties`; give the array `items`.
"""

from collections.abc import Iterator

from mcptest.analyzers.outline import Outline, outline, within
from mcptest.analyzers.rules.sch_002_open_object import is_free_form, is_open
from mcptest.analyzers.schema import types
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SCH-006"
SEVERITY = Severity.INFO
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    view = outline(tool)
    for part in view.objects():
        if is_free_form(part) and is_open(view, part):
            yield Remark("the object has neither properties nor a type for its values", within(part))
    for part in view.schema.parts:
        if isinstance(part.schema, dict) and "array" in types(part.schema) and _takes_anything(view, part.schema):
            yield Remark("the array has no type for its items", within(part))


def _takes_anything(view: Outline, schema: dict[str, object]) -> bool:
    if "enum" in schema or "const" in schema or "prefixItems" in schema or isinstance(schema.get("items"), list):
        return False
    return "items" not in schema or not view.constrained(schema["items"])
